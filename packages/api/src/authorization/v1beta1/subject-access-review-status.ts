import * as t from '@coxswain/schema';

export const SubjectAccessReviewStatus = t.struct('authorization/v1beta1.SubjectAccessReviewStatus', {
  allowed: t.always(1, t.bool),
  denied: t.optional(4, t.bool),
  reason: t.optional(2, t.string),
  evaluationError: t.optional(3, t.string),
});
export interface SubjectAccessReviewStatus extends t.Static<typeof SubjectAccessReviewStatus> {}
