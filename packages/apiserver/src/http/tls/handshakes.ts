/**
 * Connections whose TLS handshake is not over. Node's own limit runs by the wall: after the event loop stood still it
 * would cut off clients whose bytes are there and were not read.
 */
import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';

/** What Node should do: nothing before this one has. */
export const handshakeMsNever = 2 ** 31 - 1;

export class Handshakes {
  readonly #waiting = new Map<string, { readonly socket: Socket; looks: number }>();
  readonly #onLate: (socket: Socket) => void;

  /** @param onLate hears of a connection before it is cut */
  constructor(server: Server, onLate: (socket: Socket) => void) {
    this.#onLate = onLate;
    server.on('connection', (socket: Socket) => this.#begin(socket));
    server.on('secureConnection', (socket: TLSSocket) => void this.#waiting.delete(ends(socket)));
  }

  /** Cuts what was found waiting more than `looksMax` times. */
  look(looksMax: number): void {
    for (const waiting of this.#waiting.values()) {
      if (++waiting.looks <= looksMax) continue;
      this.#onLate(waiting.socket);
      waiting.socket.destroy();
    }
  }

  /** What TLS was to be spoken over: a client that speaks something else can still be told so. */
  below(socket: TLSSocket): Socket | undefined {
    return this.#waiting.get(ends(socket))?.socket;
  }

  #begin(socket: Socket): void {
    const name = ends(socket);
    this.#waiting.set(name, { socket, looks: 0 });
    socket.once('close', () => {
      if (this.#waiting.get(name)?.socket === socket) this.#waiting.delete(name);
    });
  }
}

/** A TLS connection is another object than the one below, but it has the same two ends. */
const ends = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
