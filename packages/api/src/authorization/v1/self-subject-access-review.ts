import { always, kind, ObjectMeta, optional, pointer, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { NonResourceAttributes } from './non-resource-attributes.ts';
import { ResourceAttributes } from './resource-attributes.ts';
import { SubjectAccessReviewStatus } from './subject-access-review-status.ts';
import { validateSelfReview } from '../review-validation.ts';

export const SelfSubjectAccessReviewSpec = struct('authorization/v1.SelfSubjectAccessReviewSpec', {
  resourceAttributes: pointer(1, ResourceAttributes),
  nonResourceAttributes: pointer(2, NonResourceAttributes),
});
export interface SelfSubjectAccessReviewSpec extends Static<typeof SelfSubjectAccessReviewSpec> {}

export const SelfSubjectAccessReview = kind(
  'authorization/v1.SelfSubjectAccessReview',
  'authorization.k8s.io/v1',
  { plural: 'selfsubjectaccessreviews', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, SelfSubjectAccessReviewSpec, { required: true }),
    status: optional(3, SubjectAccessReviewStatus),
  },
  {
    validate: validateSelfReview,
  },
);
export interface SelfSubjectAccessReview extends Static<typeof SelfSubjectAccessReview> {}
