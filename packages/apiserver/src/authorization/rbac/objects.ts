/** The parts of RBAC objects that authorization needs. */
import type * as rbac from '@coxswain/api/rbac/v1/index.ts';
import type { ObjectMeta, Live } from '@coxswain/apimachinery';

export type PolicyRule = Live<rbac.PolicyRule>;

/** A Role, or a ClusterRole when it has no namespace. */
export interface RoleObject {
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
}

export type Subject = Live<rbac.Subject>;

/** A RoleBinding, or a ClusterRoleBinding when it has no namespace. */
export interface BindingObject {
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly Subject[] | null;
  readonly roleRef: { readonly kind: string; readonly name: string };
}
