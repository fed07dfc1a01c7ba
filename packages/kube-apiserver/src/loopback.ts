/** The server as a client of itself: what it is made of may ask for this before the server is whole. */
import type { Transport } from '@coxswain/client/transport.ts';
import type { Listener } from '@coxswain/apiserver/lifecycle/server-lifecycle.ts';

export type ListenerOnPort = Listener & { readonly port: number };

/** The port that clients are told while none is open. */
const portDefault = 6443;

export const nothingListens: ListenerOnPort = {
  port: portDefault,
  stopListening: () => undefined,
  close: () => Promise.resolve(),
};

export class Loopback {
  /** What clients connect to. */
  port = portDefault;
  #isListening = false;
  #transport: Transport | undefined;

  /** With all rights, through the whole chain. @throws Error while the chain isn't there */
  get transport(): Transport {
    if (this.#transport === undefined) throw new Error('the server has no chain yet');
    return this.#transport;
  }

  set transport(transport: Transport) {
    this.#transport = transport;
  }

  /** Where the server reaches itself over the network, once it listens. */
  get address(): { readonly host: string; readonly port: string } | undefined {
    return this.#isListening ? { host: '127.0.0.1', port: String(this.port) } : undefined;
  }

  listens(listener: ListenerOnPort): void {
    this.port = listener.port;
    this.#isListening = listener !== nothingListens;
  }
}
