/** What a plugin says about a pod, or about a pod on a node. */
export type Status =
  | { readonly kind: 'fits' }
  /** Not schedulable now; the removal of other pods could help. */
  | { readonly kind: 'unschedulable'; readonly reasons: readonly string[] }
  /** Not schedulable as long as the pod or the node is unchanged; preemption can't help. */
  | { readonly kind: 'unresolvable'; readonly reasons: readonly string[] }
  | { readonly kind: 'error'; readonly reasons: readonly string[] };

export type Rejection = Exclude<Status, { kind: 'fits' }>;

export const fits: Status = { kind: 'fits' };

/** Statuses are created per node and pod, so recurring ones should be shared constants. */
export const unschedulable = (...reasons: string[]): Rejection => ({ kind: 'unschedulable', reasons });
export const unresolvable = (...reasons: string[]): Rejection => ({ kind: 'unresolvable', reasons });
export const failure = (...reasons: string[]): Rejection => ({ kind: 'error', reasons });

export const isRejection = (status: Status): status is Rejection => status.kind !== 'fits';
