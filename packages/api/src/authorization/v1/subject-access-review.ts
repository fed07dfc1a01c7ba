import * as t from '@coxswain/schema';
import { SubjectAccessReviewSpec } from './subject-access-review-spec.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';
import { validateReview } from '../review-validation.ts';

export const SubjectAccessReview = t.kind(
  'authorization/v1.SubjectAccessReview',
  'authorization.k8s.io/v1',
  { plural: 'subjectaccessreviews', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, SubjectAccessReviewSpec, { required: true }),
    status: t.optional(3, SubjectAccessReviewStatus),
  },
  {
    validate: validateReview,
  },
);
export interface SubjectAccessReview extends t.Static<typeof SubjectAccessReview> {}
