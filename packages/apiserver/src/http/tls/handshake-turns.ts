/**
 * To begin a TLS connection takes more of the thread than most requests. While several are served, connections begin
 * in slices of long work, those of one address after the other, once their clients have said their first word.
 */
import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import type { Clock } from '@coxswain/apimachinery';
import { isContended, nextSlice } from '@coxswain/apimachinery/slices.ts';

/** To be called before anybody else listens for connections: TLS itself is then the only one who does. */
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
    socket.once(
      'readable',
      () => void nextSlice(clock, socket.remoteAddress ?? '').then(() => begin(socket)),
    );
  });
}
