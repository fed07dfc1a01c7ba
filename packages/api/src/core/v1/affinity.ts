import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { NodeSelector, NodeSelectorTerm } from './node-selector.ts';

export const PreferredSchedulingTerm = t.struct('core/v1.PreferredSchedulingTerm', {
  weight: t.always(1, t.int32, { required: true }),
  preference: t.always(2, NodeSelectorTerm, { required: true }),
});
export interface PreferredSchedulingTerm extends t.Static<typeof PreferredSchedulingTerm> {}

export const NodeAffinity = t.struct('core/v1.NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: t.pointer(1, NodeSelector),
  preferredDuringSchedulingIgnoredDuringExecution: t.optional(2, t.atomicList(PreferredSchedulingTerm)),
});
export interface NodeAffinity extends t.Static<typeof NodeAffinity> {}

export const PodAffinityTerm = t.struct('core/v1.PodAffinityTerm', {
  labelSelector: t.pointer(1, LabelSelector),
  namespaces: t.optional(2, t.atomicList(t.string)),
  topologyKey: t.always(3, t.string, { required: true }),
  namespaceSelector: t.pointer(4, LabelSelector),
  matchLabelKeys: t.optional(5, t.atomicList(t.string)),
  mismatchLabelKeys: t.optional(6, t.atomicList(t.string)),
});
export interface PodAffinityTerm extends t.Static<typeof PodAffinityTerm> {}

export const WeightedPodAffinityTerm = t.struct('core/v1.WeightedPodAffinityTerm', {
  weight: t.always(1, t.int32, { required: true }),
  podAffinityTerm: t.always(2, PodAffinityTerm, { required: true }),
});
export interface WeightedPodAffinityTerm extends t.Static<typeof WeightedPodAffinityTerm> {}

export const PodAffinity = t.struct('core/v1.PodAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: t.optional(1, t.atomicList(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: t.optional(2, t.atomicList(WeightedPodAffinityTerm)),
});
export interface PodAffinity extends t.Static<typeof PodAffinity> {}

export const PodAntiAffinity = t.struct('core/v1.PodAntiAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: t.optional(1, t.atomicList(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: t.optional(2, t.atomicList(WeightedPodAffinityTerm)),
});
export interface PodAntiAffinity extends t.Static<typeof PodAntiAffinity> {}

export const Affinity = t.struct('core/v1.Affinity', {
  nodeAffinity: t.pointer(1, NodeAffinity),
  podAffinity: t.pointer(2, PodAffinity),
  podAntiAffinity: t.pointer(3, PodAntiAffinity),
});
export interface Affinity extends t.Static<typeof Affinity> {}
