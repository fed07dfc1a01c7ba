import { kind, ObjectMeta, optional, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { UserInfo } from '../../authentication/v1/user-info.ts';

export const SelfSubjectReviewStatus = struct('authentication/v1beta1.SelfSubjectReviewStatus', {
  userInfo: optional(1, UserInfo),
});
export interface SelfSubjectReviewStatus extends Static<typeof SelfSubjectReviewStatus> {}

export const SelfSubjectReview = kind(
  'authentication/v1beta1.SelfSubjectReview',
  'authentication.k8s.io/v1beta1',
  { plural: 'selfsubjectreviews', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    status: optional(2, SelfSubjectReviewStatus),
  },
);
export interface SelfSubjectReview extends Static<typeof SelfSubjectReview> {}
