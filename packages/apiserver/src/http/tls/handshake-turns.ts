/**
 * A TLS handshake occupies the thread longer than most requests. While several clients are served, handshakes run as
 * slices of long work, one at a time per address, once the client has sent its first message.
 */
import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import type { Clock } from '@coxswain/apimachinery';
import { isContended, nextSlice } from '@coxswain/apimachinery/slices.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';

/** Must be called before anything else listens for connections: TLS itself is then the only listener. */
export function takeTurnsInHandshakes(server: Server, clock: Clock): void {
  const begins = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const begin = (socket: Socket): void => {
    if (socket.destroyed) return;
    for (const listener of begins) listener.call(server, socket);
  };
  server.on('connection', (socket: Socket) => {
    if (!isContended(clock, clock.monotonic())) return begin(socket);
    socket.once('error', () => socket.destroy());
    // What has come is read from here when the handshake begins, and answered in the same turn.
    socket.once('readable', () =>
      whenFulfilled(nextSlice(clock, socket.remoteAddress ?? ''), () => begin(socket)),
    );
  });
}
