import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';

export const PodCertificateRequestSpec = t.struct('certificates/v1beta1.PodCertificateRequestSpec', {
  signerName: t.always(1, t.string, { required: true }),
  podName: t.always(2, t.string, { required: true }),
  podUID: t.always(3, t.named('types.UID', t.string), { required: true }),
  serviceAccountName: t.always(4, t.string, { required: true }),
  serviceAccountUID: t.always(5, t.named('types.UID', t.string), { required: true }),
  nodeName: t.always(6, t.named('types.NodeName', t.string), { required: true }),
  nodeUID: t.always(7, t.named('types.UID', t.string), { required: true }),
  maxExpirationSeconds: t.pointer(8, t.int32, { default: 86400, defaultPublished: true }),
  pkixPublicKey: t.always(9, t.bytes, { go: 'PKIXPublicKey' }),
  proofOfPossession: t.always(10, t.bytes),
  stubPKCS10Request: t.always(12, t.bytes, { required: true }),
  unverifiedUserAnnotations: t.optional(11, t.map(t.string)),
});
export interface PodCertificateRequestSpec extends t.Static<typeof PodCertificateRequestSpec> {}

export const PodCertificateRequestStatus = t.struct('certificates/v1beta1.PodCertificateRequestStatus', {
  conditions: t.optional(1, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
  certificateChain: t.optional(2, t.string),
  notBefore: t.pointer(4, t.time),
  beginRefreshAt: t.pointer(5, t.time),
  notAfter: t.pointer(6, t.time),
});
export interface PodCertificateRequestStatus extends t.Static<typeof PodCertificateRequestStatus> {}
