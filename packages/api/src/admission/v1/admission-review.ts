import {
  always,
  atomicList,
  bool,
  bytes,
  kind,
  map,
  optional,
  pointer,
  rawExtension,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { UserInfo } from '../../authentication/v1/user-info.ts';
import { GroupVersionKind } from '../../meta/v1/group-version-kind.ts';
import { GroupVersionResource } from '../../meta/v1/group-version-resource.ts';
import { Status } from '../../meta/v1/status.ts';

export const AdmissionRequest = struct('admission/v1.AdmissionRequest', {
  uid: always(1, named('types.UID', string), { go: 'UID' }),
  kind: always(2, GroupVersionKind),
  resource: always(3, GroupVersionResource),
  subResource: optional(4, string),
  requestKind: pointer(13, GroupVersionKind),
  requestResource: pointer(14, GroupVersionResource),
  requestSubResource: optional(15, string),
  name: optional(5, string),
  namespace: optional(6, string),
  operation: always(7, named('v1.Operation', string)),
  userInfo: always(8, UserInfo),
  object: optional(9, rawExtension),
  oldObject: optional(10, rawExtension),
  dryRun: pointer(11, bool),
  options: optional(12, rawExtension),
});
export interface AdmissionRequest extends Static<typeof AdmissionRequest> {}

export const AdmissionResponse = struct('admission/v1.AdmissionResponse', {
  uid: always(1, named('types.UID', string), { go: 'UID' }),
  allowed: always(2, bool),
  status: pointer(3, Status.type, { go: 'Result' }),
  patch: optional(4, bytes),
  patchType: pointer(5, named('v1.PatchType', string)),
  auditAnnotations: optional(6, map(string)),
  warnings: optional(7, atomicList(string)),
});
export interface AdmissionResponse extends Static<typeof AdmissionResponse> {}

export const AdmissionReview = kind('admission/v1.AdmissionReview', 'admission.k8s.io/v1', undefined, {
  request: pointer(1, AdmissionRequest),
  response: pointer(2, AdmissionResponse),
});
export interface AdmissionReview extends Static<typeof AdmissionReview> {}
