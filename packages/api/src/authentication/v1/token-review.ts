import { always, atomicList, bool, kind, ObjectMeta, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { UserInfo } from './user-info.ts';

export const TokenReviewSpec = struct('authentication/v1.TokenReviewSpec', {
  token: optional(1, string, { required: true }),
  audiences: optional(2, atomicList(string)),
});
export interface TokenReviewSpec extends Static<typeof TokenReviewSpec> {}

export const TokenReviewStatus = struct('authentication/v1.TokenReviewStatus', {
  authenticated: optional(1, bool),
  user: optional(2, UserInfo),
  audiences: optional(4, atomicList(string)),
  error: optional(3, string),
});
export interface TokenReviewStatus extends Static<typeof TokenReviewStatus> {}

export const TokenReview = kind(
  'authentication/v1.TokenReview',
  'authentication.k8s.io/v1',
  { plural: 'tokenreviews', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, TokenReviewSpec, { required: true }),
    status: optional(3, TokenReviewStatus),
  },
);
export interface TokenReview extends Static<typeof TokenReview> {}
