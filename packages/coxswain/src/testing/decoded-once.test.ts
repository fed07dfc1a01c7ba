import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';

test('modifying a returned object in a test does not affect the next cluster', async () => {
  const role = (cluster: Awaited<ReturnType<typeof createCluster>>) =>
    cluster.client.resource<KubeObject>('rbac.authorization.k8s.io/v1', 'clusterroles');
  const one = await createCluster({ controllers: false, nodes: 0 });
  const given = await role(one).get('admin');
  (given.metadata as { labels?: object }).labels = { mine: 'yes' };
  for (const listed of (await role(one).list()).items) delete (listed as { rules?: unknown }).rules;
  await role(one).patch('view', { metadata: { labels: { changed: 'yes' } } });
  await one.stop();
  const next = await createCluster({ controllers: false, nodes: 0 });

  const [admin, view] = await Promise.all([role(next).get('admin'), role(next).get('view')]);
  expect(admin.metadata.labels).not.toHaveProperty('mine');
  expect(admin).toHaveProperty('rules');
  expect(view.metadata.labels).not.toHaveProperty('changed');
  await next.stop();
});
