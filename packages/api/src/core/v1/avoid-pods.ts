import {
  always,
  atomicList,
  optional,
  OwnerReference,
  pointer,
  string,
  struct,
  time,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const PodSignature = struct('core/v1.PodSignature', {
  podController: pointer(1, OwnerReference),
});
export interface PodSignature extends Static<typeof PodSignature> {}

export const PreferAvoidPodsEntry = struct('core/v1.PreferAvoidPodsEntry', {
  podSignature: always(1, PodSignature),
  evictionTime: optional(2, time),
  reason: optional(3, string),
  message: optional(4, string),
});
export interface PreferAvoidPodsEntry extends Static<typeof PreferAvoidPodsEntry> {}

export const AvoidPods = struct('core/v1.AvoidPods', {
  preferAvoidPods: optional(1, atomicList(PreferAvoidPodsEntry)),
});
export interface AvoidPods extends Static<typeof AvoidPods> {}
