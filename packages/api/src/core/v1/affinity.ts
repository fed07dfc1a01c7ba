import { always, atomicList, int32, optional, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { NodeSelector, NodeSelectorTerm } from './node-selector.ts';

export const PreferredSchedulingTerm = struct('core/v1.PreferredSchedulingTerm', {
  weight: always(1, int32, { required: true }),
  preference: always(2, NodeSelectorTerm, { required: true }),
});
export interface PreferredSchedulingTerm extends Static<typeof PreferredSchedulingTerm> {}

export const NodeAffinity = struct('core/v1.NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: pointer(1, NodeSelector),
  preferredDuringSchedulingIgnoredDuringExecution: optional(2, atomicList(PreferredSchedulingTerm)),
});
export interface NodeAffinity extends Static<typeof NodeAffinity> {}

export const PodAffinityTerm = struct('core/v1.PodAffinityTerm', {
  labelSelector: pointer(1, LabelSelector),
  namespaces: optional(2, atomicList(string)),
  topologyKey: always(3, string, { required: true }),
  namespaceSelector: pointer(4, LabelSelector),
  matchLabelKeys: optional(5, atomicList(string)),
  mismatchLabelKeys: optional(6, atomicList(string)),
});
export interface PodAffinityTerm extends Static<typeof PodAffinityTerm> {}

export const WeightedPodAffinityTerm = struct('core/v1.WeightedPodAffinityTerm', {
  weight: always(1, int32, { required: true }),
  podAffinityTerm: always(2, PodAffinityTerm, { required: true }),
});
export interface WeightedPodAffinityTerm extends Static<typeof WeightedPodAffinityTerm> {}

export const PodAffinity = struct('core/v1.PodAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: optional(1, atomicList(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: optional(2, atomicList(WeightedPodAffinityTerm)),
});
export interface PodAffinity extends Static<typeof PodAffinity> {}

export const PodAntiAffinity = struct('core/v1.PodAntiAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: optional(1, atomicList(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: optional(2, atomicList(WeightedPodAffinityTerm)),
});
export interface PodAntiAffinity extends Static<typeof PodAntiAffinity> {}

export const Affinity = struct('core/v1.Affinity', {
  nodeAffinity: pointer(1, NodeAffinity),
  podAffinity: pointer(2, PodAffinity),
  podAntiAffinity: pointer(3, PodAntiAffinity),
});
export interface Affinity extends Static<typeof Affinity> {}
