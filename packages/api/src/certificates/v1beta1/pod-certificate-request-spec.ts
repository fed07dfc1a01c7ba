import {
  always,
  bytes,
  int32,
  listMap,
  map,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';

export const PodCertificateRequestSpec = struct('certificates/v1beta1.PodCertificateRequestSpec', {
  signerName: always(1, string, { required: true }),
  podName: always(2, string, { required: true }),
  podUID: always(3, named('types.UID', string), { required: true }),
  serviceAccountName: always(4, string, { required: true }),
  serviceAccountUID: always(5, named('types.UID', string), { required: true }),
  nodeName: always(6, named('types.NodeName', string), { required: true }),
  nodeUID: always(7, named('types.UID', string), { required: true }),
  maxExpirationSeconds: pointer(8, int32, { default: 86400, defaultPublished: true }),
  pkixPublicKey: always(9, bytes, { go: 'PKIXPublicKey' }),
  proofOfPossession: always(10, bytes),
  stubPKCS10Request: always(12, bytes, { required: true }),
  unverifiedUserAnnotations: optional(11, map(string)),
});
export interface PodCertificateRequestSpec extends Static<typeof PodCertificateRequestSpec> {}

export const PodCertificateRequestStatus = struct('certificates/v1beta1.PodCertificateRequestStatus', {
  conditions: optional(1, listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
  certificateChain: optional(2, string),
  notBefore: pointer(4, time),
  beginRefreshAt: pointer(5, time),
  notAfter: pointer(6, time),
});
export interface PodCertificateRequestStatus extends Static<typeof PodCertificateRequestStatus> {}
