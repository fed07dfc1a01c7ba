import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEventuallyHas, createCluster } from 'coxswain/testing';
import { warmNodes } from './warm-nodes.mjs';

const build = (name, team) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'build', team } },
  spec: { containers: [{ name: 'build', image: 'build' }] },
});

test('builds go to warm nodes until these are full, and then wait for room', async () => {
  const nodes = [{ name: 'cold' }, { name: 'warm', annotations: { 'example.com/warm-for': 'web,search' } }];
  const cluster = await createCluster({ nodes, seed: 1, schedulerPlugins: [warmNodes] });

  await cluster.apply([build('web-1', 'web'), build('search-1', 'search')]);
  await assertEventuallyHas(cluster, 'pod/web-1', { spec: { nodeName: 'warm' } });
  await assertEventuallyHas(cluster, 'pod/search-1', { spec: { nodeName: 'warm' } });

  await cluster.apply([build('web-2', 'web'), build('web-3', 'web'), build('web-4', 'web')]);
  await cluster.idle();
  const pods = await cluster.client.resource('v1', 'pods').namespace('default').list();
  const waiting = pods.items.filter(({ spec }) => !spec.nodeName);
  assert.equal(waiting.length, 1);
  const [{ reason, message }] = waiting[0].status.conditions;
  assert.equal(reason, 'Unschedulable');
  assert.match(message, /^0\/2 nodes are available: 2 node\(s\) already run 2 builds\./);

  await cluster.client.resource('v1', 'pods').namespace('default').delete('web-1');
  await assertEventuallyHas(cluster, `pod/${waiting[0].metadata.name}`, { status: { phase: 'Running' } });
  await cluster.stop();
});
