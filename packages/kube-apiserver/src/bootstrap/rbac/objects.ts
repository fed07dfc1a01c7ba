/** The bootstrap policy as RBAC objects. */

import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { serverManager, type BootstrapBody, type BootstrapObject } from '../../bootstrap-object.ts';
import { clusterRoleSubjects, controllerSubject, namespacedBindings } from './bindings.ts';
import { componentRoles } from '../../default-roles/component-roles.ts';
import { controllerRoles } from '../../default-roles/controller-roles.ts';
import { gatedControllerRoles } from '../../default-roles/gated-controller-roles.ts';
import { namespacedRoles } from '../../default-roles/namespaced-roles.ts';
import { rulesWith } from '../../default-roles/policy-rule.ts';
import { userRoles } from '../../default-roles/user-roles.ts';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;
const aggregateTo = (role: string) => `${group}/aggregate-to-${role}`;

/** Roles that only aggregate others' rules; the value names the role into which they are aggregated themselves. */
const aggregatingRoles: Readonly<Record<string, string | undefined>> = {
  admin: undefined,
  edit: 'admin',
  view: 'edit',
};

export function rbacObjects(features: FeatureGates): BootstrapObject[] {
  const ofControllers = { ...controllerRoles, ...gatedControllerRoles(features) };
  const roles = { ...userRoles, ...componentRoles, ...ofControllers };
  return [
    ...Object.keys(aggregatingRoles).map(aggregatingRole),
    ...Object.entries(roles).map(([name, table]) => {
      const rules = rulesWith(table, features.enabled);
      return wrap('clusterroles', 'ClusterRole', name, { rules }, { labels: gatheringLabel(name) });
    }),
    ...Object.entries(clusterRoleSubjects).map(([role, subjects]) => clusterBinding(role, subjects)),
    ...Object.keys(ofControllers).map((role) => clusterBinding(role, [controllerSubject(role)])),
    ...Object.entries(namespacedRoles).flatMap(([namespace, table]) =>
      Object.entries(table).map(([name, table]) =>
        wrap('roles', 'Role', name, { rules: rulesWith(table, features.enabled) }, { namespace }),
      ),
    ),
    ...Object.entries(namespacedBindings).flatMap(([namespace, bindings]) =>
      bindings.map(({ name, role, subjects }) =>
        wrap(
          'rolebindings',
          'RoleBinding',
          name,
          { subjects, roleRef: roleRef('Role', role) },
          { namespace },
        ),
      ),
    ),
  ];
}

function aggregatingRole(name: string): BootstrapObject {
  const into = aggregatingRoles[name];
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(name)]: 'true' } }] };
  const labels = into === undefined ? {} : { [aggregateTo(into)]: 'true' };
  return wrap('clusterroles', 'ClusterRole', name, { rules: null, aggregationRule }, { labels });
}

/** `system:aggregate-to-edit` is aggregated into `edit`. */
function gatheringLabel(name: string): Record<string, string> {
  const into = /^system:aggregate-to-(.+)$/.exec(name)?.[1];
  return into === undefined ? {} : { [aggregateTo(into)]: 'true' };
}

const clusterBinding = (role: string, subjects: readonly unknown[]): BootstrapObject =>
  wrap('clusterrolebindings', 'ClusterRoleBinding', role, {
    ...(subjects.length === 0 ? {} : { subjects }),
    roleRef: roleRef('ClusterRole', role),
  });

const roleRef = (kind: string, name: string) => ({ apiGroup: group, kind, name });

function wrap(
  resource: string,
  kind: string,
  name: string,
  fields: Readonly<Record<string, unknown>>,
  { namespace, labels }: { namespace?: string; labels?: Record<string, string> } = {},
): BootstrapObject {
  const metadata: BootstrapBody['metadata'] = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
  return {
    group,
    version: 'v1',
    resource,
    manager: serverManager,
    object: { apiVersion, kind, metadata, ...fields },
  };
}
