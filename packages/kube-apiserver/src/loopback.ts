/** The server as its own client: its parts may hold this before the server is complete. */
import type { Transport } from '@coxswain/client/transport.ts';
import type { Listener } from '@coxswain/apiserver/lifecycle/server-lifecycle.ts';

export type ListenerOnPort = Listener & { readonly port: number };

/** The port that clients are told before one is open. */
const portDefault = 6443;

export const nothingListens: ListenerOnPort = {
  port: portDefault,
  stopListening: () => undefined,
  close: () => Promise.resolve(),
};

export class Loopback {
  /** The port that clients connect to. */
  port = portDefault;
  #isListening = false;
  #transport: Transport | undefined;

  /** A transport with all permissions through the whole chain. @throws Error before the chain exists */
  get transport(): Transport {
    if (this.#transport === undefined) throw new Error('the server has no chain yet');
    return this.#transport;
  }

  set transport(transport: Transport) {
    this.#transport = transport;
  }

  /** The address at which the server reaches itself over the network, once it listens. */
  get address(): { readonly host: string; readonly port: string } | undefined {
    return this.#isListening ? { host: '127.0.0.1', port: String(this.port) } : undefined;
  }

  listens(listener: ListenerOnPort): void {
    this.port = listener.port;
    this.#isListening = listener !== nothingListens;
  }
}
