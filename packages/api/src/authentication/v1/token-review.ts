import * as t from '@coxswain/schema';
import { UserInfo } from './user-info.ts';

export const TokenReviewSpec = t.struct('authentication/v1.TokenReviewSpec', {
  token: t.optional(1, t.string, { required: true }),
  audiences: t.optional(2, t.atomicList(t.string)),
});
export interface TokenReviewSpec extends t.Static<typeof TokenReviewSpec> {}

export const TokenReviewStatus = t.struct('authentication/v1.TokenReviewStatus', {
  authenticated: t.optional(1, t.bool),
  user: t.optional(2, UserInfo),
  audiences: t.optional(4, t.atomicList(t.string)),
  error: t.optional(3, t.string),
});
export interface TokenReviewStatus extends t.Static<typeof TokenReviewStatus> {}

export const TokenReview = t.kind(
  'authentication/v1.TokenReview',
  'authentication.k8s.io/v1',
  { plural: 'tokenreviews', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, TokenReviewSpec, { required: true }),
    status: t.optional(3, TokenReviewStatus),
  },
);
export interface TokenReview extends t.Static<typeof TokenReview> {}
