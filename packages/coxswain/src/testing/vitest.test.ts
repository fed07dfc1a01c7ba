import { expect, test } from 'vitest';
import './vitest.ts';
import { createCluster } from './create-cluster.ts';

test('after the import, expect has the matchers with their types', async () => {
  const cluster = await createCluster({ controllers: false, nodes: 0 });
  await cluster.apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { x: "1" } }');

  await expect(cluster).toEventuallyHave('configmap/a', { data: { x: '1' } });
  await expect(cluster).not.toEventuallyHave('configmap/a', { data: { x: '2' } }, { within: '1s' });
  await expect(cluster).toEventuallyLack('configmap/b');
  expect(cluster).not.toHaveRequested({ verb: 'delete' });
  // @ts-expect-error an object is named by text
  const refused = expect(cluster).toEventuallyHave(7);
  await expect(refused).rejects.toThrow();
  await cluster.stop();
});
