import * as t from '@coxswain/schema';
import { NonResourceAttributes } from './non-resource-attributes.ts';
import { ResourceAttributes } from './resource-attributes.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';

export const SelfSubjectAccessReviewSpec = t.struct('authorization/v1beta1.SelfSubjectAccessReviewSpec', {
  resourceAttributes: t.pointer(1, ResourceAttributes),
  nonResourceAttributes: t.pointer(2, NonResourceAttributes),
});
export interface SelfSubjectAccessReviewSpec extends t.Static<typeof SelfSubjectAccessReviewSpec> {}

export const SelfSubjectAccessReview = t.kind(
  'authorization/v1beta1.SelfSubjectAccessReview',
  'authorization.k8s.io/v1beta1',
  { plural: 'selfsubjectaccessreviews', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, SelfSubjectAccessReviewSpec),
    status: t.optional(3, SubjectAccessReviewStatus),
  },
);
export interface SelfSubjectAccessReview extends t.Static<typeof SelfSubjectAccessReview> {}
