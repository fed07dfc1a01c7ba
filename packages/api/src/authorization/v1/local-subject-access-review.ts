import * as t from '@coxswain/schema';
import { SubjectAccessReviewSpec } from './subject-access-review-spec.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';
import { validateLocalReview } from '../review-validation.ts';

export const LocalSubjectAccessReview = t.kind(
  'authorization/v1.LocalSubjectAccessReview',
  'authorization.k8s.io/v1',
  { plural: 'localsubjectaccessreviews', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, SubjectAccessReviewSpec, { required: true }),
    status: t.optional(3, SubjectAccessReviewStatus),
  },
  {
    validate: validateLocalReview,
  },
);
export interface LocalSubjectAccessReview extends t.Static<typeof LocalSubjectAccessReview> {}
