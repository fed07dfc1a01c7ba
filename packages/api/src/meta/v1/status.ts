import {
  atomicList,
  int32,
  kind,
  ListMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const StatusCause = struct('meta/v1.StatusCause', {
  reason: optional(1, named('v1.CauseType', string), { go: 'Type' }),
  message: optional(2, string),
  field: optional(3, string),
});
export interface StatusCause extends Static<typeof StatusCause> {}

export const StatusDetails = struct('meta/v1.StatusDetails', {
  name: optional(1, string),
  group: optional(2, string),
  kind: optional(3, string),
  uid: optional(6, named('types.UID', string), { go: 'UID' }),
  causes: optional(4, atomicList(StatusCause)),
  retryAfterSeconds: optional(5, int32),
});
export interface StatusDetails extends Static<typeof StatusDetails> {}

export const Status = kind('meta/v1.Status', 'meta.k8s.io/v1', undefined, {
  metadata: optional(1, ListMeta, { go: 'ListMeta' }),
  status: optional(2, string),
  message: optional(3, string),
  reason: optional(4, named('v1.StatusReason', string)),
  details: pointer(5, StatusDetails),
  code: optional(6, int32),
});
export interface Status extends Static<typeof Status> {}
