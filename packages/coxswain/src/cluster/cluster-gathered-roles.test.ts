import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { startCluster } from './cluster.ts';

interface Role extends KubeObject {
  readonly rules?: readonly object[] | null;
}

test('a role that aggregates nothing drops aggregated rules, and keeps those written by others', async () => {
  const controllers = ['clusterrole-aggregation-controller'];
  const cluster = await startCluster({ nodes: 0, controllers, scheduler: false });
  const roles = cluster.client().resource<Role>('rbac.authorization.k8s.io/v1', 'clusterroles');
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const create = (name: string, rest: object) => roles.create({ metadata: { name }, ...rest } as Role);
  const gathering = (label: string) => ({
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'yes' } }] },
  });
  const rulesOf = async (name: string) => (await roles.get(name)).rules ?? [];

  await create('written', { ...gathering('nobody-has-this'), rules });
  await roles.create({ metadata: { name: 'part', labels: { gathered: 'yes' } }, rules } as Role);
  await create('whole', gathering('gathered'));
  await expect.poll(() => rulesOf('whole')).toEqual(rules);
  await roles.delete('part');
  await expect.poll(() => rulesOf('whole')).toEqual([]);

  expect(await rulesOf('written')).toEqual(rules);
  await cluster.stop();
});
