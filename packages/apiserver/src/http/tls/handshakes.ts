/**
 * Tracks unfinished TLS handshakes. Node's own timeout uses wall time: after a stall of the event loop it would
 * disconnect clients whose bytes have arrived but were not read.
 */
import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';

/** Node's own limit, set so high that it never acts first. */
export const handshakeMsNever = 2 ** 31 - 1;

export class Handshakes {
  readonly #waiting = new Map<string, { readonly socket: Socket; looks: number }>();
  readonly #onLate: (socket: Socket) => void;

  /** @param onLate called with a connection before it is closed */
  constructor(server: Server, onLate: (socket: Socket) => void) {
    this.#onLate = onLate;
    server.on('connection', (socket: Socket) => this.#begin(socket));
    server.on('secureConnection', (socket: TLSSocket) => void this.#waiting.delete(ends(socket)));
  }

  /** Closes connections that were found waiting more than `looksMax` times. */
  look(looksMax: number): void {
    for (const waiting of this.#waiting.values()) {
      if (++waiting.looks <= looksMax) continue;
      this.#onLate(waiting.socket);
      waiting.socket.destroy();
    }
  }

  /** The socket below TLS: a client that speaks another protocol can be answered on it. */
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

/** A TLS connection and its underlying socket are different objects with the same two endpoints. */
const ends = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
