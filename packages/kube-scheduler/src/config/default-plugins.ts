import type { AnyPlugin } from '../framework/plugin.ts';
import { defaultBinder } from '../plugins/default-binder.ts';
import { defaultPreemption } from '../plugins/default-preemption.ts';
import { dynamicResources } from '../plugins/dynamic-resources/dynamic-resources.ts';
import { imageLocality } from '../plugins/image-locality.ts';
import { interPodAffinity } from '../plugins/inter-pod-affinity/inter-pod-affinity.ts';
import { nodeAffinity } from '../plugins/node-affinity.ts';
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

export interface DefaultPlugin {
  readonly name: string;
  /** How much its score counts. */
  readonly weight: number;
  /** Makes the plugin; `args` are those of the configuration file. @throws Error for args that it cannot take */
  make(args: never): AnyPlugin;
}

/** The plugins of the default profile, in the original's order. */
export const defaultPlugins: readonly DefaultPlugin[] = [
  { name: 'SchedulingGates', weight: 1, make: () => schedulingGates },
  { name: 'PrioritySort', weight: 1, make: () => prioritySort },
  { name: 'NodeUnschedulable', weight: 1, make: () => nodeUnschedulable },
  { name: 'NodeName', weight: 1, make: () => nodeName },
  { name: 'TaintToleration', weight: 3, make: () => taintToleration },
  { name: 'NodeAffinity', weight: 2, make: () => nodeAffinity },
  { name: 'NodePorts', weight: 1, make: () => nodePorts },
  { name: 'NodeResourcesFit', weight: 1, make: nodeResourcesFit },
  { name: 'VolumeRestrictions', weight: 1, make: () => volumeRestrictions },
  { name: 'NodeVolumeLimits', weight: 1, make: () => nodeVolumeLimits },
  { name: 'VolumeBinding', weight: 1, make: volumeBinding },
  { name: 'VolumeZone', weight: 1, make: () => volumeZone },
  { name: 'PodTopologySpread', weight: 2, make: podTopologySpread },
  { name: 'InterPodAffinity', weight: 2, make: interPodAffinity },
  { name: 'DynamicResources', weight: 2, make: dynamicResources },
  { name: 'DefaultPreemption', weight: 1, make: defaultPreemption },
  { name: 'NodeResourcesBalancedAllocation', weight: 1, make: nodeResourcesBalancedAllocation },
  { name: 'ImageLocality', weight: 1, make: () => imageLocality },
  { name: 'DefaultBinder', weight: 1, make: () => defaultBinder },
];
