import * as t from '@coxswain/schema';
import { UserInfo } from '../../authentication/v1/user-info.ts';
import { GroupVersionKind } from '../../meta/v1/group-version-kind.ts';
import { GroupVersionResource } from '../../meta/v1/group-version-resource.ts';
import { Status } from '../../meta/v1/status.ts';

export const AdmissionRequest = t.struct('admission/v1.AdmissionRequest', {
  uid: t.always(1, t.named('types.UID', t.string), { go: 'UID' }),
  kind: t.always(2, GroupVersionKind),
  resource: t.always(3, GroupVersionResource),
  subResource: t.optional(4, t.string),
  requestKind: t.pointer(13, GroupVersionKind),
  requestResource: t.pointer(14, GroupVersionResource),
  requestSubResource: t.optional(15, t.string),
  name: t.optional(5, t.string),
  namespace: t.optional(6, t.string),
  operation: t.always(7, t.named('v1.Operation', t.string)),
  userInfo: t.always(8, UserInfo),
  object: t.optional(9, t.rawExtension),
  oldObject: t.optional(10, t.rawExtension),
  dryRun: t.pointer(11, t.bool),
  options: t.optional(12, t.rawExtension),
});
export interface AdmissionRequest extends t.Static<typeof AdmissionRequest> {}

export const AdmissionResponse = t.struct('admission/v1.AdmissionResponse', {
  uid: t.always(1, t.named('types.UID', t.string), { go: 'UID' }),
  allowed: t.always(2, t.bool),
  status: t.pointer(3, Status.type, { go: 'Result' }),
  patch: t.optional(4, t.bytes),
  patchType: t.pointer(5, t.named('v1.PatchType', t.string)),
  auditAnnotations: t.optional(6, t.map(t.string)),
  warnings: t.optional(7, t.atomicList(t.string)),
});
export interface AdmissionResponse extends t.Static<typeof AdmissionResponse> {}

export const AdmissionReview = t.kind('admission/v1.AdmissionReview', 'admission.k8s.io/v1', undefined, {
  request: t.pointer(1, AdmissionRequest),
  response: t.pointer(2, AdmissionResponse),
});
export interface AdmissionReview extends t.Static<typeof AdmissionReview> {}
