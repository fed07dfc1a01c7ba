/** Event loop turns that compile code during the start are not reported; all later turns that are too long are. */
import { threadCpuTime } from '@coxswain/apiserver/flow-control/turn-watch.ts';
import { systemClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { startCluster, type Cluster } from './cluster.ts';

const cpuMs = threadCpuTime(systemClock);

/**
 * Sends a request followed by more work than a turn may contain; resolves when the watch has had a chance to notice.
 */
async function longTurn(cluster: Cluster): Promise<void> {
  await cluster.client().resource('v1', 'namespaces').get('default');
  const noticed = systemClock.sleep(20);
  for (const endMs = cpuMs() + 80; cpuMs() < endMs;);
  await noticed;
}

test('long turns are reported once everything has started', async () => {
  const lines: string[] = [];
  const { promise: processStarted, resolve: started } = Promise.withResolvers<void>();
  const cluster = await startCluster({
    port: 0,
    threads: 1,
    nodes: 0,
    controllers: [],
    processStarted,
    log: (line) => void lines.push(line),
  });
  try {
    const reported = () => lines.filter((line) => line.startsWith('a turn of the event loop took'));
    await longTurn(cluster);
    expect(reported()).toEqual([]);
    started();
    await processStarted;
    await longTurn(cluster);
    expect(reported()).not.toEqual([]);
  } finally {
    await cluster.stop();
  }
}, 60_000);
