import { atomicList, bool, int64, kind, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Preconditions = struct('meta/v1.Preconditions', {
  uid: pointer(1, named('types.UID', string), { go: 'UID' }),
  resourceVersion: pointer(2, string),
});
export interface Preconditions extends Static<typeof Preconditions> {}

export const DeleteOptions = kind('meta/v1.DeleteOptions', 'meta.k8s.io/v1', undefined, {
  gracePeriodSeconds: pointer(1, int64),
  preconditions: pointer(2, Preconditions),
  orphanDependents: pointer(3, bool),
  propagationPolicy: pointer(4, named('v1.DeletionPropagation', string)),
  dryRun: optional(5, atomicList(string)),
  ignoreStoreReadErrorWithClusterBreakingPotential: pointer(6, bool),
});
export interface DeleteOptions extends Static<typeof DeleteOptions> {}
