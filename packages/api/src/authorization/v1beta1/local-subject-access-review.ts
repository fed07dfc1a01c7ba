import * as t from '@coxswain/schema';
import { SubjectAccessReviewSpec } from './subject-access-review-spec.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';
import * as v1 from '../v1/local-subject-access-review.ts';

export const LocalSubjectAccessReview = t.kindIn('authorization/v1beta1', v1.LocalSubjectAccessReview, {
  fields: { spec: t.always(2, SubjectAccessReviewSpec), status: t.optional(3, SubjectAccessReviewStatus) },
});
export interface LocalSubjectAccessReview extends t.Static<typeof LocalSubjectAccessReview> {}
