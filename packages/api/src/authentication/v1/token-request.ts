import {
  always,
  atomicList,
  int64,
  kind,
  nullable,
  ObjectMeta,
  optional,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const BoundObjectReference = struct('authentication/v1.BoundObjectReference', {
  kind: optional(1, string),
  apiVersion: optional(2, string, { go: 'APIVersion' }),
  name: optional(3, string),
  uid: optional(4, named('types.UID', string), { go: 'UID', proto: 'uID' }),
});
export interface BoundObjectReference extends Static<typeof BoundObjectReference> {}

export const TokenRequestSpec = struct('authentication/v1.TokenRequestSpec', {
  audiences: always(1, atomicList(string)),
  expirationSeconds: nullable(4, int64, { default: 3600 }),
  boundObjectRef: nullable(3, BoundObjectReference),
});
export interface TokenRequestSpec extends Static<typeof TokenRequestSpec> {}

export const TokenRequestStatus = struct('authentication/v1.TokenRequestStatus', {
  token: always(1, string),
  expirationTimestamp: always(2, time),
});
export interface TokenRequestStatus extends Static<typeof TokenRequestStatus> {}

export const TokenRequest = kind('authentication/v1.TokenRequest', 'authentication.k8s.io/v1', undefined, {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
  spec: always(2, TokenRequestSpec),
  status: optional(3, TokenRequestStatus),
});
export interface TokenRequest extends Static<typeof TokenRequest> {}
