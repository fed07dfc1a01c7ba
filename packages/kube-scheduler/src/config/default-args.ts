/** The defaults of plugin arguments. */
import type { ArgsName, PluginArgs, ResourceSpec } from './plugin-args.ts';

const cpuAndMemory = (): ResourceSpec[] => [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** A weight of 0 counts as omitted. */
const weighted = (resources: readonly ResourceSpec[] | undefined): ResourceSpec[] =>
  (resources ?? []).length === 0
    ? cpuAndMemory()
    : resources!.map(({ name, weight }) => ({ name, weight: weight || 1 }));

const defaults: { readonly [K in ArgsName]: (args: PluginArgs[K]) => PluginArgs[K] } = {
  DefaultPreemption: (args) => ({
    minCandidateNodesPercentage: 10,
    minCandidateNodesAbsolute: 100,
    ...args,
  }),
  DynamicResources: (args) => ({
    ...args,
    filterTimeout: args.filterTimeout ?? '10s',
    bindingTimeout: args.bindingTimeout ?? '10m0s',
  }),
  InterPodAffinity: (args) => ({ hardPodAffinityWeight: 1, ...args }),
  NodeAffinity: (args) => args,
  NodeResourcesBalancedAllocation: (args) => ({ ...args, resources: weighted(args.resources) }),
  NodeResourcesFit: ({ scoringStrategy = { type: 'LeastAllocated' }, ...args }) => ({
    ...args,
    scoringStrategy: { ...scoringStrategy, resources: weighted(scoringStrategy.resources) },
  }),
  PodTopologySpread: (args) => ({ ...args, defaultingType: args.defaultingType || 'System' }),
  VolumeBinding: (args) => ({ bindTimeoutSeconds: 600, ...args }),
};

export const withDefaultArgs = <K extends ArgsName>(plugin: K, args: PluginArgs[K]): PluginArgs[K] =>
  defaults[plugin](args);
