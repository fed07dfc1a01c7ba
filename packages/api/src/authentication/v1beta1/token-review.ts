import {
  always,
  atomicList,
  bool,
  kind,
  map,
  ObjectMeta,
  optional,
  string,
  struct,
  wrappedList,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const TokenReviewSpec = struct('authentication/v1beta1.TokenReviewSpec', {
  token: optional(1, string),
  audiences: optional(2, atomicList(string)),
});
export interface TokenReviewSpec extends Static<typeof TokenReviewSpec> {}

export const UserInfo = struct('authentication/v1beta1.UserInfo', {
  username: optional(1, string),
  uid: optional(2, string, { go: 'UID' }),
  groups: optional(3, atomicList(string)),
  extra: optional(4, map(named('v1beta1.ExtraValue', wrappedList(string)))),
});
export interface UserInfo extends Static<typeof UserInfo> {}

export const TokenReviewStatus = struct('authentication/v1beta1.TokenReviewStatus', {
  authenticated: optional(1, bool),
  user: optional(2, UserInfo),
  audiences: optional(4, atomicList(string)),
  error: optional(3, string),
});
export interface TokenReviewStatus extends Static<typeof TokenReviewStatus> {}

export const TokenReview = kind(
  'authentication/v1beta1.TokenReview',
  'authentication.k8s.io/v1beta1',
  { plural: 'tokenreviews', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, TokenReviewSpec),
    status: optional(3, TokenReviewStatus),
  },
);
export interface TokenReview extends Static<typeof TokenReview> {}
