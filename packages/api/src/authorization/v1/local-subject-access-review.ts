import { always, kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { SubjectAccessReviewSpec } from './subject-access-review-spec.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';
import { validateLocalReview } from '../review-validation.ts';

export const LocalSubjectAccessReview = kind(
  'authorization/v1.LocalSubjectAccessReview',
  'authorization.k8s.io/v1',
  { plural: 'localsubjectaccessreviews', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, SubjectAccessReviewSpec, { required: true }),
    status: optional(3, SubjectAccessReviewStatus),
  },
  {
    validate: validateLocalReview,
  },
);
export interface LocalSubjectAccessReview extends Static<typeof LocalSubjectAccessReview> {}
