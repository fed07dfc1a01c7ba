import { always, bool, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const SubjectAccessReviewStatus = struct('authorization/v1.SubjectAccessReviewStatus', {
  allowed: always(1, bool, { required: true }),
  denied: optional(4, bool),
  reason: optional(2, string),
  evaluationError: optional(3, string),
});
export interface SubjectAccessReviewStatus extends Static<typeof SubjectAccessReviewStatus> {}
