import * as t from '@coxswain/schema';
import * as v1 from './v1/index.ts';

export const SelfSubjectReviewStatus = t.struct('authentication/v1beta1.SelfSubjectReviewStatus', {
  userInfo: t.optional(1, v1.UserInfo),
});
export interface SelfSubjectReviewStatus extends t.Static<typeof SelfSubjectReviewStatus> {}

export const SelfSubjectReview = t.kindIn('authentication/v1beta1', v1.SelfSubjectReview, {
  fields: { status: t.optional(2, SelfSubjectReviewStatus) },
});
export interface SelfSubjectReview extends t.Static<typeof SelfSubjectReview> {}

export const TokenReviewSpec = t.structIn('authentication/v1beta1', v1.TokenReviewSpec, {
  fields: { token: t.optional(1, t.string) },
});
export interface TokenReviewSpec extends t.Static<typeof TokenReviewSpec> {}

export const UserInfo = t.structIn('authentication/v1beta1', v1.UserInfo);
export interface UserInfo extends t.Static<typeof UserInfo> {}

export const TokenReview = t.kindIn('authentication/v1beta1', v1.TokenReview, {
  fields: { spec: t.always(2, TokenReviewSpec) },
});
export interface TokenReview extends t.Static<typeof TokenReview> {}
