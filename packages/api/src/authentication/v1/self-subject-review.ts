import * as t from '@coxswain/schema';
import { UserInfo } from './user-info.ts';

export const SelfSubjectReviewStatus = t.struct('authentication/v1.SelfSubjectReviewStatus', {
  userInfo: t.optional(1, UserInfo),
});
export interface SelfSubjectReviewStatus extends t.Static<typeof SelfSubjectReviewStatus> {}

export const SelfSubjectReview = t.kind(
  'authentication/v1.SelfSubjectReview',
  'authentication.k8s.io/v1',
  { plural: 'selfsubjectreviews', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    status: t.optional(2, SelfSubjectReviewStatus),
  },
);
export interface SelfSubjectReview extends t.Static<typeof SelfSubjectReview> {}
