/** The options of requests, as OpenAPI and clients name them. */

import * as t from '@coxswain/schema';

export const ApplyOptions = t.kind('meta/v1.ApplyOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: t.optional(1, t.atomicList(t.string)),
  force: t.always(2, t.bool),
  fieldManager: t.always(3, t.string),
});
export interface ApplyOptions extends t.Static<typeof ApplyOptions> {}

export const CreateOptions = t.kind('meta/v1.CreateOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: t.optional(1, t.atomicList(t.string)),
  fieldManager: t.optional(3, t.string),
  fieldValidation: t.optional(4, t.string),
});
export interface CreateOptions extends t.Static<typeof CreateOptions> {}

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

export const GetOptions = t.kind('meta/v1.GetOptions', 'meta.k8s.io/v1', undefined, {
  resourceVersion: t.optional(1, t.string),
});
export interface GetOptions extends t.Static<typeof GetOptions> {}

export const ListOptions = t.kind('meta/v1.ListOptions', 'meta.k8s.io/v1', undefined, {
  labelSelector: t.optional(1, t.string),
  fieldSelector: t.optional(2, t.string),
  watch: t.optional(3, t.bool),
  allowWatchBookmarks: t.optional(9, t.bool),
  resourceVersion: t.optional(4, t.string),
  resourceVersionMatch: t.optional(10, t.named('v1.ResourceVersionMatch', t.string)),
  timeoutSeconds: t.pointer(5, t.int64),
  limit: t.optional(7, t.int64),
  continue: t.optional(8, t.string),
  sendInitialEvents: t.pointer(11, t.bool),
  shardSelector: t.optional(15, t.string, { gate: 'ShardedListAndWatch' }),
});
export interface ListOptions extends t.Static<typeof ListOptions> {}

export const PatchOptions = t.kind('meta/v1.PatchOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: t.optional(1, t.atomicList(t.string)),
  force: t.pointer(2, t.bool),
  fieldManager: t.optional(3, t.string),
  fieldValidation: t.optional(4, t.string),
});
export interface PatchOptions extends t.Static<typeof PatchOptions> {}

export const TableOptions = t.kind('meta/v1.TableOptions', 'meta.k8s.io/v1', undefined, {
  includeObject: t.optional(1, t.named('v1.IncludeObjectPolicy', t.string)),
});
export interface TableOptions extends t.Static<typeof TableOptions> {}

export const UpdateOptions = t.kind('meta/v1.UpdateOptions', 'meta.k8s.io/v1', undefined, {
  dryRun: t.optional(1, t.atomicList(t.string)),
  fieldManager: t.optional(2, t.string),
  fieldValidation: t.optional(3, t.string),
});
export interface UpdateOptions extends t.Static<typeof UpdateOptions> {}
