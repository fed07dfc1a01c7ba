import { plugin, type AnyPlugin } from '../framework/plugin.ts';
import { defaultBinder } from '../plugins/default-binder.ts';
import { defaultPreemption } from '../plugins/default-preemption.ts';
import { dynamicResources } from '../plugins/dynamic-resources/dynamic-resources.ts';
import { imageLocality } from '../plugins/image-locality.ts';
import { interPodAffinity } from '../plugins/inter-pod-affinity/inter-pod-affinity.ts';
import { nodeAffinity } from '../plugins/node-affinity.ts';
import { nodeDeclaredFeatures } from '../plugins/node-declared-features.ts';
import { nodeName } from '../plugins/node-name.ts';
import { nodePorts } from '../plugins/node-ports.ts';
import { nodeResourcesBalancedAllocation } from '../plugins/node-resources-balanced-allocation.ts';
import { nodeResourcesFit } from '../plugins/node-resources-fit.ts';
import { nodeUnschedulable } from '../plugins/node-unschedulable.ts';
import { nodeVolumeLimits } from '../plugins/node-volume-limits.ts';
import { podTopologySpread } from '../plugins/pod-topology-spread/pod-topology-spread.ts';
import { prioritySort } from '../plugins/priority-sort.ts';
import { schedulingGates } from '../plugins/scheduling-gates.ts';
import { taintToleration } from '../plugins/taint-toleration.ts';
import { volumeBinding } from '../plugins/volume-binding/volume-binding.ts';
import { volumeRestrictions } from '../plugins/volume-restrictions.ts';
import { volumeZone } from '../plugins/volume-zone.ts';
import { validResourcesFitArgs } from './validation/resources-fit-args.ts';

/** A plugin that profiles can refer to. */
export interface PluginFactory {
  readonly name: string;
  /** Creates the plugin; `args` are those of the configuration. @throws Error for unacceptable arguments */
  make(args: never): AnyPlugin;
}

export interface DefaultPlugin extends PluginFactory {
  /** The weight of its score; 0 means 1. */
  readonly weight: number;
  /** The feature gate that the plugin requires to be enabled by default. */
  readonly gate?: string;
  /** Disabled unless a profile names it. */
  readonly isOptional?: boolean;
}

/** The plugins of the default profile in upstream's order, and those that profiles can add. */
export const defaultPlugins: readonly DefaultPlugin[] = [
  { name: 'SchedulingGates', weight: 0, make: () => schedulingGates },
  { name: 'PrioritySort', weight: 0, make: () => prioritySort },
  { name: 'NodeUnschedulable', weight: 0, make: () => nodeUnschedulable },
  { name: 'NodeName', weight: 0, make: () => nodeName },
  { name: 'TaintToleration', weight: 3, make: () => taintToleration },
  { name: 'NodeAffinity', weight: 2, make: nodeAffinity },
  { name: 'NodePorts', weight: 0, make: () => nodePorts },
  { name: 'NodeResourcesFit', weight: 1, make: (args) => nodeResourcesFit(validResourcesFitArgs(args)) },
  { name: 'VolumeRestrictions', weight: 0, make: () => volumeRestrictions },
  { name: 'NodeVolumeLimits', weight: 0, make: () => nodeVolumeLimits },
  { name: 'VolumeBinding', weight: 0, make: volumeBinding },
  { name: 'VolumeZone', weight: 0, make: () => volumeZone },
  { name: 'PodTopologySpread', weight: 2, make: podTopologySpread },
  { name: 'InterPodAffinity', weight: 2, make: interPodAffinity },
  { name: 'DynamicResources', weight: 2, gate: 'DynamicResourceAllocation', make: dynamicResources },
  { name: 'DefaultPreemption', weight: 0, make: defaultPreemption },
  { name: 'NodeResourcesBalancedAllocation', weight: 1, make: nodeResourcesBalancedAllocation },
  { name: 'ImageLocality', weight: 1, make: () => imageLocality },
  { name: 'DefaultBinder', weight: 0, make: () => defaultBinder },
  {
    name: 'NodeDeclaredFeatures',
    weight: 0,
    gate: 'NodeDeclaredFeatures',
    make: () => nodeDeclaredFeatures,
  },
  // Plugins behind disabled gates: they can be named, but do nothing.
  ...['GangScheduling', 'TopologyPlacementGenerator', 'PodGroupPodsCount'].map((name) => ({
    name,
    weight: 0,
    isOptional: true,
    make: () => plugin({ name }),
  })),
];
