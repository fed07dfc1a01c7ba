import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCluster } from '../testing/create-cluster.ts';
import type { TestCluster } from '../testing/test-cluster.ts';

let cluster: TestCluster;

const pod = (name: string, usage: string, image = 'nginx') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations: { 'sim.coxswain.io/usage': usage } },
  spec: { containers: [{ name: 'c', image }] },
});

const page = async (path: string): Promise<string> => {
  const { status, bytes } = await cluster.transport.send({
    method: 'GET',
    path: `/api/v1/nodes/node-0/proxy/${path}`,
    headers: {},
  });
  expect(status).toBe(200);
  return new TextDecoder().decode(await bytes());
};

beforeAll(async () => {
  cluster = await createCluster({ seed: 1 });
  await cluster.apply([
    pod('busy', 'cpu=500m,memory=64Mi'),
    pod('never', 'cpu=1,memory=1Gi', 'nginx:nonexistent'),
  ]);
  await cluster.idle();
});
afterAll(() => cluster.stop());

test('the pages of a node show the declared current and total usage of its running containers', async () => {
  const line = /^container_cpu_usage_seconds_total\{container="c",namespace="default",pod="busy"\} (\S+)$/m;
  const used = async () => Number(line.exec(await page('metrics/resource'))?.[1]);
  const before = await used();
  await cluster.clock.advance('10m');

  expect((await used()) - before).toBeCloseTo(300);
  const text = await page('metrics/resource');
  expect(text).toContain(
    `container_memory_working_set_bytes{container="c",namespace="default",pod="busy"} ${64 * 1024 * 1024}\n`,
  );
  expect(text).not.toContain('never');
  expect(await page('metrics/cadvisor')).toMatch(/^machine_cpu_cores 32$/m);
  expect(await page('metrics')).toMatch(/^kubelet_running_pods 1$/m);
});

test('total usage does not shrink when current usage drops', async () => {
  const used = async () =>
    Number(/^node_cpu_usage_seconds_total (\S+)$/m.exec(await page('metrics/resource'))?.[1]);
  const before = await used();
  await cluster.client
    .resource('v1', 'pods')
    .namespace('default')
    .patch('busy', { metadata: { annotations: { 'sim.coxswain.io/usage': 'cpu=1m' } } }, { type: 'merge' });
  await cluster.idle();
  await cluster.clock.advance('1s');

  expect(await used()).toBeGreaterThanOrEqual(before);
});

test('the summary has the same figures', async () => {
  const { node, pods } = JSON.parse(await page('stats/summary'));

  expect(node.cpu.usageNanoCores).toBe(1_000_000);
  expect(pods).toMatchObject([
    { podRef: { name: 'busy' }, containers: [{ name: 'c', cpu: { usageNanoCores: 1_000_000 } }] },
    { podRef: { name: 'never' }, containers: [] },
  ]);
});
