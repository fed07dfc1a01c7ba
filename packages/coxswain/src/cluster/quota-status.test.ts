import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { startCluster } from './cluster.ts';
import { withCluster } from '../testing/with-cluster.ts';

test('a limit that has not been counted yet refuses requests; without limits in its status, a quota refuses nothing', async () => {
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

interface Counted extends KubeObject {
  readonly status: { readonly used: Readonly<Record<string, string>> };
}

const scoped = `
apiVersion: v1
kind: ResourceQuota
metadata: { name: bounded }
spec: { hard: { pods: "2" }, scopes: [Terminating] }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: endless }
spec: { hard: { pods: "2" }, scopes: [NotTerminating] }
`;
const pod = `
apiVersion: v1
kind: Pod
metadata: { name: p }
spec: { containers: [{ name: c, image: nginx }] }
`;

test(
  'a pod that gets a deadline leaves the quota of those without, and is counted by that of those with one',
  withCluster(async (cluster) => {
    const quotas = cluster.client.resource<Counted>('v1', 'resourcequotas').namespace('default');
    const used = async () => [
      (await quotas.get('bounded')).status.used['pods'],
      (await quotas.get('endless')).status.used['pods'],
    ];
    await cluster.apply(scoped);
    await cluster.idle();
    await cluster.apply(pod);
    await cluster.idle();
    const before = await used();

    await cluster.client
      .resource<KubeObject>('v1', 'pods')
      .namespace('default')
      .patch('p', { spec: { activeDeadlineSeconds: 3600 } }, { type: 'merge' });
    await cluster.idle();

    expect([before, await used()]).toEqual([
      ['0', '1'],
      ['1', '0'],
    ]);
  }),
);

test(
  'lower usage is counted again, since admission charges before the object can be seen',
  withCluster(async (cluster) => {
    const quotas = cluster.client.resource<Counted>('v1', 'resourcequotas').namespace('default');
    const charged = async (pods: string) => {
      const quota = await quotas.get('endless');
      await quotas.updateStatus({ ...quota, status: { ...quota.status, used: { pods } } });
    };
    await cluster.apply(scoped);
    await cluster.apply(pod);
    await cluster.idle();
    await cluster.clock.advance('5s');

    await charged('2');
    const pods = cluster.client.resource<KubeObject>('v1', 'pods').namespace('default');
    await pods.delete('p', { gracePeriodSeconds: 0 });
    await cluster.idle({ quietMs: 100 });
    expect((await quotas.get('endless')).status.used['pods']).toBe('0');
    await charged('1');
    await cluster.clock.advance('2s');

    expect((await quotas.get('endless')).status.used['pods']).toBe('0');
  }),
);
