/** The parts of RBAC's objects that deciding needs. */
import type { ObjectMeta } from '@coxswain/apimachinery';

export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A Role, or a ClusterRole when it has no namespace. */
export interface RoleObject {
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

/** A RoleBinding, or a ClusterRoleBinding when it has no namespace. */
export interface BindingObject {
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly Subject[] | null;
  readonly roleRef: { readonly kind: string; readonly name: string };
}
