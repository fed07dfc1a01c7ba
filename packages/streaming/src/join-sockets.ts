import type { Duplex } from 'node:stream';

/** An upgraded connection with the data that has already arrived on it. */
export interface UpgradedConnection {
  readonly socket: Duplex;
  readonly head: Uint8Array;
}

/** Forwards everything in both directions without looking at it; when one side ends, the other is ended, too. */
export function joinSockets(client: UpgradedConnection, server: UpgradedConnection): void {
  carry(client, server.socket);
  carry(server, client.socket);
}

/** Data from before the end is still delivered. */
function carry({ socket, head }: UpgradedConnection, other: Duplex): void {
  socket.on('error', () => undefined).once('close', () => other.end(() => other.destroy()));
  if (head.length > 0) other.write(head);
  socket.pipe(other);
}
