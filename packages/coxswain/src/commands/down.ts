/** `coxswain down`: stops what `coxswain up` has started. */

import { systemClock, type Clock } from '@coxswain/apimachinery';
import { bool, commandFor, noArgs } from '@coxswain/cobra';
import type { ProgramIo } from '../program/program-io.ts';
import { isRunning, runningClusters, type RunningCluster } from '../local/running-clusters.ts';
import { dataDirFlag } from './running-flags.ts';

const command = commandFor<ProgramIo>();

const stoppingMsMax = 60_000;
const lookMs = 50;

export const down = command({
  use: 'down',
  short: 'Stop a running cluster',
  long: 'Stops the cluster that you started with "coxswain up" on this machine and returns when it has stopped. Its data is kept for\nthe next start, unless it was in memory. Succeeds if no cluster is running.',
  example: '  coxswain down\n  coxswain down --data-dir=./cluster\n  coxswain down --all',
  args: noArgs,
  flags: {
    dataDir: dataDirFlag,
    all: bool({ usage: 'Stop all of your clusters.' }),
  },
  async run({ context: io, flags }) {
    const found = runningClusters(io.env, flags.dataDir);
    if (found.length > 1 && !flags.all)
      throw new Error(
        `${found.length} clusters are running: use --all, or --data-dir with one of ${found.map(({ dataDirectory }) => dataDirectory).join(', ')}`,
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
        `process ${pid} did not stop within ${stoppingMsMax / 1000} s; "kill -9 ${pid}" stops it immediately`,
      );
    await clock.sleep(lookMs);
  }
}
