import * as t from '@coxswain/schema';

export const ImageReviewContainerSpec = t.struct('imagepolicy/v1alpha1.ImageReviewContainerSpec', {
  image: t.optional(1, t.string),
});
export interface ImageReviewContainerSpec extends t.Static<typeof ImageReviewContainerSpec> {}

export const ImageReviewSpec = t.struct('imagepolicy/v1alpha1.ImageReviewSpec', {
  containers: t.optional(1, t.atomicList(ImageReviewContainerSpec)),
  annotations: t.optional(2, t.map(t.string)),
  namespace: t.optional(3, t.string),
});
export interface ImageReviewSpec extends t.Static<typeof ImageReviewSpec> {}

export const ImageReviewStatus = t.struct('imagepolicy/v1alpha1.ImageReviewStatus', {
  allowed: t.always(1, t.bool),
  reason: t.optional(2, t.string),
  auditAnnotations: t.optional(3, t.map(t.string)),
});
export interface ImageReviewStatus extends t.Static<typeof ImageReviewStatus> {}

export const ImageReview = t.kind(
  'imagepolicy/v1alpha1.ImageReview',
  'imagepolicy.k8s.io/v1alpha1',
  undefined,
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, ImageReviewSpec),
    status: t.optional(3, ImageReviewStatus),
  },
);
export interface ImageReview extends t.Static<typeof ImageReview> {}
