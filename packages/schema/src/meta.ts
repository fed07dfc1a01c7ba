/** The structs of meta/v1, which every kind contains. */

import {
  atomicList,
  bool,
  fieldsV1,
  int64,
  listMap,
  listSet,
  map,
  always,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
  type Static,
} from './type.ts';

export const OwnerReference = struct(
  'meta/v1.OwnerReference',
  {
    apiVersion: always(5, string, { required: true, go: 'APIVersion' }),
    kind: always(1, string, { required: true }),
    name: always(3, string, { required: true }),
    uid: always(4, named('types.UID', string), { required: true, go: 'UID' }),
    controller: pointer(6, bool),
    blockOwnerDeletion: pointer(7, bool),
  },
  { atomic: true },
);

export const ManagedFieldsEntry = struct('meta/v1.ManagedFieldsEntry', {
  manager: optional(1, string),
  operation: optional(2, named('v1.ManagedFieldsOperationType', string)),
  apiVersion: optional(3, string, { go: 'APIVersion' }),
  time: pointer(4, time),
  fieldsType: optional(6, string),
  fieldsV1: pointer(7, fieldsV1),
  subresource: optional(8, string),
});

export const ObjectMeta = struct('meta/v1.ObjectMeta', {
  name: optional(1, string),
  generateName: optional(2, string),
  namespace: optional(3, string),
  selfLink: optional(4, string),
  uid: optional(5, named('types.UID', string), { go: 'UID' }),
  resourceVersion: optional(6, string),
  generation: optional(7, int64),
  creationTimestamp: optional(8, time, { omitZero: true }),
  deletionTimestamp: pointer(9, time),
  deletionGracePeriodSeconds: pointer(10, int64),
  labels: optional(11, map(string)),
  annotations: optional(12, map(string)),
  ownerReferences: optional(13, listMap(OwnerReference, ['uid']), { patch: 'merge', patchKey: 'uid' }),
  finalizers: optional(14, listSet(string), { patch: 'merge' }),
  managedFields: optional(17, atomicList(ManagedFieldsEntry)),
});
export interface ObjectMeta extends Static<typeof ObjectMeta> {}

/** The shard that a sharded list represents. */
const ShardInfo = struct('meta/v1.ShardInfo', { selector: always(1, string, { required: true }) });

export const ListMeta = struct('meta/v1.ListMeta', {
  selfLink: optional(1, string),
  resourceVersion: optional(2, string),
  continue: optional(3, string),
  remainingItemCount: pointer(4, int64),
  shardInfo: pointer(5, ShardInfo),
});
export interface ListMeta extends Static<typeof ListMeta> {}
