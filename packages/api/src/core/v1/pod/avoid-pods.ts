import * as t from '@coxswain/schema';

export const PodSignature = t.struct('core/v1.PodSignature', {
  podController: t.pointer(1, t.OwnerReference),
});
export interface PodSignature extends t.Static<typeof PodSignature> {}

export const PreferAvoidPodsEntry = t.struct('core/v1.PreferAvoidPodsEntry', {
  podSignature: t.always(1, PodSignature),
  evictionTime: t.optional(2, t.time),
  reason: t.optional(3, t.string),
  message: t.optional(4, t.string),
});
export interface PreferAvoidPodsEntry extends t.Static<typeof PreferAvoidPodsEntry> {}

export const AvoidPods = t.struct('core/v1.AvoidPods', {
  preferAvoidPods: t.optional(1, t.atomicList(PreferAvoidPodsEntry)),
});
export interface AvoidPods extends t.Static<typeof AvoidPods> {}
