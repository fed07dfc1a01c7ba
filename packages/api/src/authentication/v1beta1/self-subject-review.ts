import * as t from '@coxswain/schema';
import { UserInfo } from '../v1/user-info.ts';
import * as v1 from '../v1/self-subject-review.ts';

export const SelfSubjectReviewStatus = t.struct('authentication/v1beta1.SelfSubjectReviewStatus', {
  userInfo: t.optional(1, UserInfo),
});
export interface SelfSubjectReviewStatus extends t.Static<typeof SelfSubjectReviewStatus> {}

export const SelfSubjectReview = t.kindIn('authentication/v1beta1', v1.SelfSubjectReview, {
  fields: { status: t.optional(2, SelfSubjectReviewStatus) },
});
export interface SelfSubjectReview extends t.Static<typeof SelfSubjectReview> {}
