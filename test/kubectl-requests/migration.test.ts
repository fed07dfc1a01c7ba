/** Server-side apply takes over the fields of client-side apply. */
import { runKubectl } from '@coxswain/kubectl';
import { recordedIo } from '@coxswain/kubectl/testing/recorded-io.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCluster, type TestCluster } from '../../packages/coxswain/src/testing/index.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await createCluster({
    controllers: false,
    scheduler: false,
    nodes: 0,
    metrics: false,
    clock: 'system',
  });
}, 60_000);
afterAll(() => cluster.stop());

const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: "1"}\n';

async function apply(...args: string[]): Promise<void> {
  const io = recordedIo({ transport: cluster.transport, stdin: async () => settings });
  expect([await runKubectl(['apply', '-f', '-', ...args], io), io.text.err]).toEqual([0, '']);
}

test('whatever the manager of client-side apply was called', async () => {
  await apply('--field-manager=deployer');
  await apply('--server-side', '--field-manager=pipeline');
  await apply('--server-side', '--field-manager=pipeline');

  const { metadata } = await cluster.client.resource('v1', 'configmaps').namespace('default').get('settings');
  const managers = metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`);
  expect(managers).toEqual(['pipeline Apply']);
});
