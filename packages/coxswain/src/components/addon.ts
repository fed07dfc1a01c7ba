/** Objects that the operator of a cluster adds to it, and their resources. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { writeMerged } from './write-merged.ts';

export interface Addon {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly object: KubeObject;
}

/** Creates missing objects and merges into existing ones. @throws StatusError if one is refused */
export async function applyAddons(client: KubeClient, objects: readonly Addon[]): Promise<void> {
  for (const { apiVersion, resource, namespace, object } of objects) {
    const all = client.resource(apiVersion, resource);
    await writeMerged(namespace === undefined ? all : all.namespace(namespace), object);
  }
}

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface Subject {
  readonly apiGroup: string;
  readonly kind: 'User' | 'Group';
  readonly name: string;
}

const rbac = 'rbac.authorization.k8s.io';

export const user = (name: string): Subject => ({ apiGroup: rbac, kind: 'User', name });
export const group = (name: string): Subject => ({ apiGroup: rbac, kind: 'Group', name });

export const configMap = (
  namespace: string,
  name: string,
  data: Readonly<Record<string, string>>,
): Addon => ({
  apiVersion: 'v1',
  resource: 'configmaps',
  namespace,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data } as KubeObject,
});

export const role = (namespace: string, name: string, rules: readonly PolicyRule[]): Addon =>
  ofRbac('Role', 'roles', name, { rules }, namespace);

export const clusterRole = (name: string, rules: readonly PolicyRule[]): Addon =>
  ofRbac('ClusterRole', 'clusterroles', name, { rules });

/** Binds the Role of the same name. */
export const roleBinding = (namespace: string, name: string, subjects: readonly Subject[]): Addon =>
  ofRbac(
    'RoleBinding',
    'rolebindings',
    name,
    { roleRef: { apiGroup: rbac, kind: 'Role', name }, subjects },
    namespace,
  );

export const clusterRoleBinding = (name: string, roleName: string, subjects: readonly Subject[]): Addon =>
  ofRbac('ClusterRoleBinding', 'clusterrolebindings', name, {
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: roleName },
    subjects,
  });

const ofRbac = (kind: string, resource: string, name: string, more: object, namespace?: string): Addon => ({
  apiVersion: `${rbac}/v1`,
  resource,
  ...(namespace === undefined ? {} : { namespace }),
  object: {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    ...more,
  } as KubeObject,
});
