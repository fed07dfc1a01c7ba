import * as t from '@coxswain/schema';
import * as v1 from '../v1/subject-access-review-status.ts';

export const SubjectAccessReviewStatus = t.structIn('authorization/v1beta1', v1.SubjectAccessReviewStatus, {
  fields: { allowed: t.always(1, t.bool) },
});
export interface SubjectAccessReviewStatus extends t.Static<typeof SubjectAccessReviewStatus> {}
