import { always, kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { SubjectAccessReviewSpec } from './subject-access-review-spec.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';
import { validateReview } from '../review-validation.ts';

export const SubjectAccessReview = kind(
  'authorization/v1.SubjectAccessReview',
  'authorization.k8s.io/v1',
  { plural: 'subjectaccessreviews', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, SubjectAccessReviewSpec, { required: true }),
    status: optional(3, SubjectAccessReviewStatus),
  },
  {
    validate: validateReview,
  },
);
export interface SubjectAccessReview extends Static<typeof SubjectAccessReview> {}
