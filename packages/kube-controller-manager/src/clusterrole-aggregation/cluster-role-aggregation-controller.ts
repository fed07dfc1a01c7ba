/** Fills aggregated cluster roles with the rules of all cluster roles that their selectors match. */

import type * as rbac from '@coxswain/api/rbac/v1/index.ts';
import { deepEqual, ignoring, selectorOfCached, type Live } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { resources } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';

type ClusterRole = Live<rbac.ClusterRole>;
type Rule = Live<rbac.PolicyRule>;

const controllerName = 'clusterrole-aggregation-controller';

export const clusterRoleAggregationController: Controller = {
  name: controllerName,
  aliases: ['clusterrole-aggregation'],
  serviceAccount: controllerName,
  start(context) {
    const roles = context.informers.informer<ClusterRole>(resources.clusterRoles);
    const client = context.client.resource<ClusterRole>(resources.clusterRoles);
    const reconciler = startReconciler(context, {
      queueName: 'ClusterRoleAggregator',
      ready: () => roles.synced,
      reconcile: async function syncClusterRole(name) {
        const role = roles.lister.get(name);
        if (!role?.aggregationRule) return;
        const rules = aggregated(role, roles.lister.list());
        if (deepEqual(rules, role.rules ?? [])) return;
        const applied: ClusterRole = {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name },
          // Applying no rules removes those applied before; rules written by others remain.
          ...(rules.length > 0 && { rules }),
        };
        await ignoring('NotFound', client.apply(applied, { fieldManager: controllerName, force: true }));
      },
    });
    const wakeAll = () => {
      for (const role of roles.lister.list()) if (role.aggregationRule) reconciler.addObject(role);
    };
    roles.addHandler({ added: wakeAll, updated: wakeAll, deleted: wakeAll });
  },
};

/** Sorted by role name, without duplicates. */
function aggregated(role: ClusterRole, all: readonly ClusterRole[]): Rule[] {
  const rules = new Map<string, Rule>();
  const byName = [...all].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  for (const spec of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = selectorOfCached(spec);
    for (const other of byName) {
      if (other.metadata.name === role.metadata.name || !selector.matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) {
        const text = JSON.stringify(rule);
        if (!rules.has(text)) rules.set(text, rule);
      }
    }
  }
  return [...rules.values()];
}
