/** `coxswain down`: the end of what `coxswain up` has begun. */

import { systemClock, type Clock } from '@coxswain/apimachinery';
import { bool, commandFor, noArgs } from '@coxswain/cobra';
import type { ProgramIo } from '../program-io.ts';
import { isRunning, runningClusters, type RunningCluster } from '../running-clusters.ts';
import { dataDirFlag, isIn } from './running-flags.ts';

const command = commandFor<ProgramIo>();

const stoppingMsMax = 60_000;
const lookMs = 50;

export const down = command({
  use: 'down',
  short: 'Stop a running cluster',
  long: 'Stops the cluster that "coxswain up" of this user runs on this machine, and returns when it has ended. What it holds is\nkept for the next start, unless it was in memory. That none runs is no failure.',
  example: '  coxswain down\n  coxswain down --data-dir=./cluster\n  coxswain down --all',
  args: noArgs,
  flags: {
    dataDir: dataDirFlag,
    all: bool({ usage: 'Stop all clusters of this user.' }),
  },
  async run({ context: io, flags }) {
    const found = runningClusters(io.env).filter((cluster) => isIn(cluster, flags.dataDir));
    if (found.length > 1 && !flags.all)
      throw new Error(
        `there are ${found.length} clusters: give --all, or --data-dir with one of ${found.map(({ dataDirectory }) => dataDirectory).join(', ')}`,
      );
    if (found.length === 0) io.out.write('No cluster is running.\n');
    for (const cluster of found) {
      await stop(cluster, systemClock);
      io.out.write(`Stopped ${cluster.url} (process ${cluster.pid}).\n`);
    }
  },
});

async function stop(cluster: RunningCluster, clock: Clock): Promise<void> {
  const { pid } = cluster;
  process.kill(pid, 'SIGTERM');
  const startMs = clock.monotonic();
  while (isRunning(cluster)) {
    if (clock.monotonic() - startMs > stoppingMsMax)
      throw new Error(
        `process ${pid} has not ended for ${stoppingMsMax / 1000} s; "kill -9 ${pid}" ends it at once`,
      );
    await clock.sleep(lookMs);
  }
}
