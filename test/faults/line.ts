/** A line between an API server and its etcd that can be cut, half cut, or made slow: a partition without privileges. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * 'cut': nothing goes either way, and nobody is told; 'half-open': what the server sends arrives, and nothing comes back;
 * 'refused': connections break, and none are taken; 'slow': each piece takes 100 ms; 'unplugged': there is no network at all, as far as the API server's machine can tell.
 */
export type LineState = 'well' | 'cut' | 'half-open' | 'refused' | 'slow' | 'unplugged';

export interface Line {
  readonly url: string;
  /** @throws Error for a state that it can't have */
  set(state: LineState): void;
  close(): Promise<void>;
}

const slowMs = 100;

export async function lineTo(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  let state: LineState = 'well';
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (state === 'refused') return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        // A line that is cut doesn't tell that the other end has gone.
        if (state !== 'cut') (socket === near ? far : near).destroy();
      });
    }
    const carry = (from: Socket, to: Socket, isStopped: () => boolean): void => {
      from.on('data', (bytes: Buffer) => {
        // What is lost is lost for good: after a cut, connections have to be given up.
        if (isStopped() || to.destroyed) return;
        if (state !== 'slow') to.write(bytes);
        else setTimeout(() => void to.write(bytes), slowMs);
      });
    };
    carry(near, far, () => state === 'cut');
    carry(far, near, () => state === 'cut' || state === 'half-open');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next) {
      if (next === 'unplugged') throw new Error('a line through this process has no plug');
      const isHealed = next === 'well' && (state === 'cut' || state === 'half-open');
      state = next;
      // Pieces are missing in what goes on: as with a partition that outlasted the connections.
      if (isHealed || next === 'refused') for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
