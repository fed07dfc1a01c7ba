import * as t from '@coxswain/schema';
import { ResourceAttributes } from './resource-attributes.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';
import * as v1 from '../v1/self-subject-access-review.ts';

export const SelfSubjectAccessReviewSpec = t.structIn(
  'authorization/v1beta1',
  v1.SelfSubjectAccessReviewSpec,
  { fields: { resourceAttributes: t.pointer(1, ResourceAttributes) } },
);
export interface SelfSubjectAccessReviewSpec extends t.Static<typeof SelfSubjectAccessReviewSpec> {}

export const SelfSubjectAccessReview = t.kindIn('authorization/v1beta1', v1.SelfSubjectAccessReview, {
  fields: {
    spec: t.always(2, SelfSubjectAccessReviewSpec),
    status: t.optional(3, SubjectAccessReviewStatus),
  },
});
export interface SelfSubjectAccessReview extends t.Static<typeof SelfSubjectAccessReview> {}
