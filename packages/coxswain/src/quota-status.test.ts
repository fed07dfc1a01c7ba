import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { startCluster } from './cluster.ts';

test('what a quota limits and nobody has counted yet is refused; without limits in its status it refuses nothing', async () => {
  const cluster = await startCluster({ nodes: 0, controllers: [], scheduler: false });
  const of = (plural: string) => cluster.client().resource<KubeObject>('v1', plural).namespace('default');
  const create = (name: string) => of('configmaps').create({ metadata: { name } } as KubeObject);
  const quota = await of('resourcequotas').create({
    metadata: { name: 'q' },
    spec: { hard: { configmaps: '1', pods: '1' } },
  } as unknown as KubeObject);
  await create('a');

  const status = { hard: { configmaps: '1', pods: '1' } };
  await of('resourcequotas').updateStatus({ ...quota, status } as KubeObject);
  await expect(create('b')).rejects.toThrow(
    'configmaps "b" is forbidden: status unknown for quota: q, resources: configmaps',
  );
  await of('secrets').create({ metadata: { name: 'b' } } as KubeObject);
  await cluster.stop();
});
