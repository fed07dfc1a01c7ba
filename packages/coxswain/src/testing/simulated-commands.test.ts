/** Containers end as their commands would. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await createCluster({ nodes: 1, seed: 1 });
});
beforeEach(() => cluster.reset());
afterAll(() => cluster.stop());

async function stateOf(container: object, spec: object = {}) {
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { restartPolicy: 'Never', ...spec, containers: [{ name: 'c', image: 'busybox', ...container }] },
  } as unknown as KubeObject);
  await cluster.clock.advance('20s');
  const pod = (await cluster.client.resource('v1', 'pods').namespace('default').get('p')) as unknown as Pod;
  return pod.status?.containerStatuses?.[0];
}

test.each([
  [['date'], 0],
  [['true'], 0],
  [['false'], 1],
  [['sh', '-c', 'exit 3'], 3],
  [['sh'], 0],
  [['cat'], 0],
  [['ls'], 0],
  [['sleep', '5'], 0],
  [['sh', '-c', 'command -v wget && command -v nowhere'], 127],
  [['sh', '-c', 'command echo hi'], 0],
])('%j ends with %i', async (command, exitCode) => {
  expect((await stateOf({ command }))?.state?.terminated).toMatchObject({ exitCode });
});

test.each([
  ['what is to be talked to', { command: ['sh'], stdin: true, tty: true }],
  ['a program that nobody knows, of an image that nobody knows', { image: 'app:1', command: ['serve'] }],
  ['a program of the image that is not simulated', { command: ['httpd', '-f'] }],
  ['the program of an image', { image: 'nginx' }],
])('%s stays', async (_what, container) => {
  expect((await stateOf(container))?.state?.running).toBeDefined();
});

test.each([
  ['nowhere', 'executable file not found in $PATH'],
  ['/bin/nowhere', 'stat /bin/nowhere: no such file or directory'],
])('a program that is surely not in the image cannot be started: %s', async (name, why) => {
  const status = await stateOf({ command: [name] });

  expect(status?.state?.terminated).toMatchObject({ exitCode: 128, reason: 'StartError' });
  expect(status?.state?.terminated?.message).toContain(`exec: "${name}": ${why}`);
});
