/** The schemas of plugin arguments, by plugin name. */
import { NodeAffinity } from '@coxswain/api/core/v1/affinity.ts';
import { TopologySpreadConstraint } from '@coxswain/api/core/v1/topology-spread-constraint.ts';
import {
  always,
  bool,
  duration,
  int32,
  int64,
  list,
  named,
  nullable,
  optional,
  pointer,
  string,
  struct,
  type Static,
  type StructType,
} from '@coxswain/schema/type.ts';
import { typeMeta } from './configuration.ts';

const ResourceSpec = struct('config/v1.ResourceSpec', {
  name: always(1, string),
  weight: optional(2, int64),
});

const ShapePoint = struct('config/v1.UtilizationShapePoint', {
  utilization: always(1, int32),
  score: always(2, int32),
});

const DefaultPreemptionArgs = struct('config/v1.DefaultPreemptionArgs', {
  ...typeMeta,
  minCandidateNodesPercentage: pointer(1, int32),
  minCandidateNodesAbsolute: pointer(2, int32),
});

const DynamicResourcesArgs = struct('config/v1.DynamicResourcesArgs', {
  ...typeMeta,
  filterTimeout: nullable(1, duration),
  bindingTimeout: pointer(2, duration),
});

const InterPodAffinityArgs = struct('config/v1.InterPodAffinityArgs', {
  ...typeMeta,
  hardPodAffinityWeight: pointer(1, int32),
  ignorePreferredTermsOfExistingPods: always(2, bool),
});

const NodeAffinityArgs = struct('config/v1.NodeAffinityArgs', {
  ...typeMeta,
  addedAffinity: pointer(1, NodeAffinity),
});

const BalancedAllocationArgs = struct('config/v1.NodeResourcesBalancedAllocationArgs', {
  ...typeMeta,
  resources: optional(1, list(ResourceSpec)),
});

const ScoringStrategy = struct('config/v1.ScoringStrategy', {
  type: optional(1, named('v1.ScoringStrategyType', string)),
  resources: optional(2, list(ResourceSpec)),
  requestedToCapacityRatio: pointer(
    3,
    struct('config/v1.RequestedToCapacityRatioParam', { shape: optional(1, list(ShapePoint)) }),
  ),
});

const NodeResourcesFitArgs = struct('config/v1.NodeResourcesFitArgs', {
  ...typeMeta,
  ignoredResources: optional(1, list(string)),
  ignoredResourceGroups: optional(2, list(string)),
  scoringStrategy: pointer(3, ScoringStrategy),
});

const PodTopologySpreadArgs = struct('config/v1.PodTopologySpreadArgs', {
  ...typeMeta,
  defaultConstraints: optional(1, list(TopologySpreadConstraint)),
  defaultingType: optional(2, named('v1.PodTopologySpreadConstraintsDefaulting', string)),
});

const VolumeBindingArgs = struct('config/v1.VolumeBindingArgs', {
  ...typeMeta,
  bindTimeoutSeconds: pointer(1, int64),
  shape: optional(2, list(ShapePoint)),
});

const types = {
  DefaultPreemption: DefaultPreemptionArgs,
  DynamicResources: DynamicResourcesArgs,
  InterPodAffinity: InterPodAffinityArgs,
  NodeAffinity: NodeAffinityArgs,
  NodeResourcesBalancedAllocation: BalancedAllocationArgs,
  NodeResourcesFit: NodeResourcesFitArgs,
  PodTopologySpread: PodTopologySpreadArgs,
  VolumeBinding: VolumeBindingArgs,
} as const;

/** The decoded arguments of each plugin. */
export type PluginArgs = { [K in keyof typeof types]: Static<(typeof types)[K]> };
export type ArgsName = keyof PluginArgs;
export type ShapePoint = Static<typeof ShapePoint>;
export type ResourceSpec = Static<typeof ResourceSpec>;
export type GivenConstraint = Static<typeof TopologySpreadConstraint>;

export const pluginArgTypes: { readonly [K in ArgsName]: StructType } = types;

export const takesArgs = (plugin: string): plugin is ArgsName => Object.hasOwn(types, plugin);
