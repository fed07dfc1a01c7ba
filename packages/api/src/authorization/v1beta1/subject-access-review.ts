import * as t from '@coxswain/schema';
import { SubjectAccessReviewSpec } from './subject-access-review-spec.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';
import * as v1 from '../v1/subject-access-review.ts';

export const SubjectAccessReview = t.kindIn('authorization/v1beta1', v1.SubjectAccessReview, {
  fields: { spec: t.always(2, SubjectAccessReviewSpec), status: t.optional(3, SubjectAccessReviewStatus) },
});
export interface SubjectAccessReview extends t.Static<typeof SubjectAccessReview> {}
