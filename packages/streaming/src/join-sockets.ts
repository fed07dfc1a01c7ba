import type { Duplex } from 'node:stream';

/** A connection whose protocol has changed, with what came on it already. */
export interface UpgradedConnection {
  readonly socket: Duplex;
  readonly head: Uint8Array;
}

/** Whatever one side says goes to the other, unread; the end of either is the end of both. */
export function joinSockets(client: UpgradedConnection, server: UpgradedConnection): void {
  carry(client, server.socket);
  carry(server, client.socket);
}

/** What was said before the end still arrives. */
function carry({ socket, head }: UpgradedConnection, other: Duplex): void {
  socket.on('error', () => undefined).once('close', () => other.end(() => other.destroy()));
  if (head.length > 0) other.write(head);
  socket.pipe(other);
}
