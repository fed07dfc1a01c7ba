import * as t from '@coxswain/schema';
import { SubjectAccessReviewSpec } from './subject-access-review-spec.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';

export const SubjectAccessReview = t.kind(
  'authorization/v1beta1.SubjectAccessReview',
  'authorization.k8s.io/v1beta1',
  { plural: 'subjectaccessreviews', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, SubjectAccessReviewSpec),
    status: t.optional(3, SubjectAccessReviewStatus),
  },
);
export interface SubjectAccessReview extends t.Static<typeof SubjectAccessReview> {}
