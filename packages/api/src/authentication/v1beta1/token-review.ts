import * as t from '@coxswain/schema';

export const TokenReviewSpec = t.struct('authentication/v1beta1.TokenReviewSpec', {
  token: t.optional(1, t.string),
  audiences: t.optional(2, t.atomicList(t.string)),
});
export interface TokenReviewSpec extends t.Static<typeof TokenReviewSpec> {}

export const UserInfo = t.struct('authentication/v1beta1.UserInfo', {
  username: t.optional(1, t.string),
  uid: t.optional(2, t.string, { go: 'UID' }),
  groups: t.optional(3, t.atomicList(t.string)),
  extra: t.optional(4, t.map(t.named('v1beta1.ExtraValue', t.wrappedList(t.string)))),
});
export interface UserInfo extends t.Static<typeof UserInfo> {}

export const TokenReviewStatus = t.struct('authentication/v1beta1.TokenReviewStatus', {
  authenticated: t.optional(1, t.bool),
  user: t.optional(2, UserInfo),
  audiences: t.optional(4, t.atomicList(t.string)),
  error: t.optional(3, t.string),
});
export interface TokenReviewStatus extends t.Static<typeof TokenReviewStatus> {}

export const TokenReview = t.kind(
  'authentication/v1beta1.TokenReview',
  'authentication.k8s.io/v1beta1',
  { plural: 'tokenreviews', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, TokenReviewSpec),
    status: t.optional(3, TokenReviewStatus),
  },
);
export interface TokenReview extends t.Static<typeof TokenReview> {}
