import { test } from 'node:test';
import { createClient } from '@coxswain/client';
import { assertEventuallyHas, createCluster } from 'coxswain/testing';
import { schedule, schedulerName } from './scheduler.mjs';

test('pods go to the node of their letter, and then run', async () => {
  const cluster = await createCluster({ nodes: 2, seed: 1 });
  const stopping = new AbortController();
  const client = createClient({ transport: cluster.transport, clock: cluster.clock });
  const running = schedule(client, stopping.signal);
  const pod = (name) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { schedulerName, containers: [{ name: 'a', image: 'a' }] },
  });
  await cluster.apply([pod('bee'), pod('cat')]);
  await assertEventuallyHas(cluster, 'pod/bee', {
    spec: { nodeName: 'node-0' },
    status: { phase: 'Running' },
  });
  await assertEventuallyHas(cluster, 'pod/cat', {
    spec: { nodeName: 'node-1' },
    status: { phase: 'Running' },
  });
  stopping.abort();
  await running;
  await cluster.stop();
});
