import { always, atomicList, bool, kind, map, ObjectMeta, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ImageReviewContainerSpec = struct('imagepolicy/v1alpha1.ImageReviewContainerSpec', {
  image: optional(1, string),
});
export interface ImageReviewContainerSpec extends Static<typeof ImageReviewContainerSpec> {}

export const ImageReviewSpec = struct('imagepolicy/v1alpha1.ImageReviewSpec', {
  containers: optional(1, atomicList(ImageReviewContainerSpec)),
  annotations: optional(2, map(string)),
  namespace: optional(3, string),
});
export interface ImageReviewSpec extends Static<typeof ImageReviewSpec> {}

export const ImageReviewStatus = struct('imagepolicy/v1alpha1.ImageReviewStatus', {
  allowed: always(1, bool),
  reason: optional(2, string),
  auditAnnotations: optional(3, map(string)),
});
export interface ImageReviewStatus extends Static<typeof ImageReviewStatus> {}

export const ImageReview = kind(
  'imagepolicy/v1alpha1.ImageReview',
  'imagepolicy.k8s.io/v1alpha1',
  undefined,
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, ImageReviewSpec),
    status: optional(3, ImageReviewStatus),
  },
);
export interface ImageReview extends Static<typeof ImageReview> {}
