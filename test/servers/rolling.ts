/** Two API servers on one etcd, replaced one after the other by others, and back, while clients write, read and watch. */
import { seededRandom } from '@coxswain/apimachinery';
import { ApiServer, until, type Etcd, type ServerOptions } from '../one-etcd/servers.ts';
import { Witness } from './witness.ts';

export type Version = Pick<ServerOptions, 'binary' | 'flags'>;

export interface RollingSettings {
  readonly etcd: Etcd;
  readonly seed: number;
  /** What all servers are, in order; the first from the start. */
  readonly versions: readonly Version[];
}

const servingMsMax = 60_000;

/** @throws Error with all that was wrong; resolves with what was counted */
export async function rollingUpgrade({
  etcd,
  seed,
  versions,
}: RollingSettings): Promise<Readonly<Record<string, number>>> {
  const [first, ...later] = versions;
  const servers = await Promise.all(
    ['192.0.2.21', '192.0.2.22'].map((address) => ApiServer.start({ etcd: [etcd.url], address, ...first })),
  );
  try {
    const witness = new Witness(servers, seededRandom(seed));
    await witness.begin();
    const serving = async (indices: readonly number[], what: string): Promise<void> => {
      const before = witness.served();
      const isSo = async () => indices.every((index) => witness.served()[index]! > before[index]! + 2);
      await until(`${what} to acknowledge writes`, isSo, servingMsMax);
    };
    await serving([0, 1], 'both');
    for (const [turn, version] of later.entries()) {
      for (const [index, server] of servers.entries()) {
        await server.leave();
        await serving([1 - index], `the other of ${index}, at turn ${turn},`);
        await server.startAgain(version);
        await serving([0, 1], `both, one of them replaced at turn ${turn},`);
      }
    }
    const problems = await witness.end();
    if (problems.length > 0) throw new Error(`seed ${seed}:\n${problems.join('\n')}`);
    return witness.counts();
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
