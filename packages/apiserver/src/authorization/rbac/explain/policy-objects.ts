/** All roles and bindings of a cluster. */
import type { BindingObject, RoleObject } from '../objects.ts';
import type { KubeClient } from '@coxswain/client';
import type { KubeObject } from '@coxswain/apimachinery';

export interface PolicyObjects {
  /** Roles, and ClusterRoles, which have no namespace. */
  readonly roles: readonly RoleObject[];
  readonly bindings: readonly BindingObject[];
}

const apiVersion = 'rbac.authorization.k8s.io/v1';

export async function readPolicyObjects(client: KubeClient): Promise<PolicyObjects> {
  const all = async <T>(resource: string): Promise<T[]> => {
    const found: KubeObject[] = [];
    for await (const item of client.resource(apiVersion, resource).items()) found.push(item);
    return found as unknown as T[];
  };
  const [clusterRoles, roles, clusterBindings, bindings] = await Promise.all([
    all<RoleObject>('clusterroles'),
    all<RoleObject>('roles'),
    all<BindingObject>('clusterrolebindings'),
    all<BindingObject>('rolebindings'),
  ]);
  return { roles: [...clusterRoles, ...roles], bindings: [...clusterBindings, ...bindings] };
}

/** The role that a binding refers to, if it exists. */
export function roleOf(
  { roles }: PolicyObjects,
  { roleRef, metadata }: BindingObject,
): RoleObject | undefined {
  const namespace = roleRef.kind === 'ClusterRole' ? '' : (metadata.namespace ?? '');
  return roles.find(
    (role) => role.metadata.name === roleRef.name && (role.metadata.namespace ?? '') === namespace,
  );
}

/** `ClusterRoleBinding admins`, `RoleBinding shop/deployers` */
export const bindingText = ({ metadata }: BindingObject): string =>
  metadata.namespace === undefined || metadata.namespace === ''
    ? `ClusterRoleBinding ${metadata.name}`
    : `RoleBinding ${metadata.namespace}/${metadata.name}`;

export const roleText = ({ roleRef }: BindingObject): string => `${roleRef.kind} ${roleRef.name}`;

/** Whether the binding applies in the namespace. */
export const isInForce = ({ metadata }: BindingObject, namespace: string): boolean =>
  !metadata.namespace || metadata.namespace === namespace;
