import * as t from '@coxswain/schema';

export const Preconditions = t.struct('meta/v1.Preconditions', {
  uid: t.pointer(1, t.named('types.UID', t.string), { go: 'UID' }),
  resourceVersion: t.pointer(2, t.string),
});
export interface Preconditions extends t.Static<typeof Preconditions> {}

export const DeleteOptions = t.kind('meta/v1.DeleteOptions', 'meta.k8s.io/v1', undefined, {
  gracePeriodSeconds: t.pointer(1, t.int64),
  preconditions: t.pointer(2, Preconditions),
  orphanDependents: t.pointer(3, t.bool),
  propagationPolicy: t.pointer(4, t.named('v1.DeletionPropagation', t.string)),
  dryRun: t.optional(5, t.atomicList(t.string)),
  ignoreStoreReadErrorWithClusterBreakingPotential: t.pointer(6, t.bool),
});
export interface DeleteOptions extends t.Static<typeof DeleteOptions> {}
