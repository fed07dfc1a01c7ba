import * as t from '@coxswain/schema';

export const StatusCause = t.struct('meta/v1.StatusCause', {
  reason: t.optional(1, t.named('v1.CauseType', t.string), { go: 'Type' }),
  message: t.optional(2, t.string),
  field: t.optional(3, t.string),
});
export interface StatusCause extends t.Static<typeof StatusCause> {}

export const StatusDetails = t.struct('meta/v1.StatusDetails', {
  name: t.optional(1, t.string),
  group: t.optional(2, t.string),
  kind: t.optional(3, t.string),
  uid: t.optional(6, t.named('types.UID', t.string), { go: 'UID' }),
  causes: t.optional(4, t.atomicList(StatusCause)),
  retryAfterSeconds: t.optional(5, t.int32),
});
export interface StatusDetails extends t.Static<typeof StatusDetails> {}

export const Status = t.kind('meta/v1.Status', 'meta.k8s.io/v1', undefined, {
  metadata: t.optional(1, t.ListMeta, { go: 'ListMeta' }),
  status: t.optional(2, t.string),
  message: t.optional(3, t.string),
  reason: t.optional(4, t.named('v1.StatusReason', t.string)),
  details: t.pointer(5, StatusDetails),
  code: t.optional(6, t.int32),
});
export interface Status extends t.Static<typeof Status> {}
