import * as t from '@coxswain/schema';

export const BoundObjectReference = t.struct('authentication/v1.BoundObjectReference', {
  kind: t.optional(1, t.string),
  apiVersion: t.optional(2, t.string, { go: 'APIVersion' }),
  name: t.optional(3, t.string),
  uid: t.optional(4, t.named('types.UID', t.string), { go: 'UID', proto: 'uID' }),
});
export interface BoundObjectReference extends t.Static<typeof BoundObjectReference> {}

export const TokenRequestSpec = t.struct('authentication/v1.TokenRequestSpec', {
  audiences: t.always(1, t.atomicList(t.string)),
  expirationSeconds: t.nullable(4, t.int64, { default: 3600 }),
  boundObjectRef: t.nullable(3, BoundObjectReference),
});
export interface TokenRequestSpec extends t.Static<typeof TokenRequestSpec> {}

export const TokenRequestStatus = t.struct('authentication/v1.TokenRequestStatus', {
  token: t.always(1, t.string),
  expirationTimestamp: t.always(2, t.time),
});
export interface TokenRequestStatus extends t.Static<typeof TokenRequestStatus> {}

export const TokenRequest = t.kind('authentication/v1.TokenRequest', 'authentication.k8s.io/v1', undefined, {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  spec: t.always(2, TokenRequestSpec),
  status: t.optional(3, TokenRequestStatus),
});
export interface TokenRequest extends t.Static<typeof TokenRequest> {}
