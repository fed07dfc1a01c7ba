import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { DeviceClass } from '@coxswain/api/resource/v1/device-class.ts';
import { canBeDevices, classResourcePrefix } from '../cache/extended-resource-classes.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import {
  asksForNothing,
  isScalarResource,
  podCapacityOf,
  podRequests,
  readResources,
  resourceAmount,
  type ResourceAmounts,
} from '../cache/resources.ts';
import type { ClusterObjects } from '../framework/cluster.ts';
import { retryOn, type ClusterEvent } from '../framework/cluster-event.ts';
import { plugin, type AnyPlugin } from '../framework/plugin.ts';
import { fits, unresolvable, unschedulable, type Rejection, type Status } from '../status.ts';
import { deviceTotals, type DeviceTotals } from './dynamic-resources/device-totals.ts';
import { cpuAndMemory, scorerOf, type ScoringStrategy } from './resource-scoring.ts';

export interface NodeResourcesFitArgs {
  readonly ignoredResources?: readonly string[];
  readonly ignoredResourceGroups?: readonly string[];
  readonly scoringStrategy?: ScoringStrategy;
}

/** Filters nodes by room for the pod's requests; by default, prefers the least allocated. */
export function nodeResourcesFit(args: NodeResourcesFitArgs = {}): AnyPlugin {
  const score = scorerOf(args.scoringStrategy);
  // Resources that the node itself lacks and a DeviceClass provides are handled by DynamicResources.
  const isIgnored: IsIgnored = (name, capacity, objects) =>
    (args.ignoredResources?.includes(name) ?? false) ||
    (args.ignoredResourceGroups?.includes(name.slice(0, name.indexOf('/'))) ?? false) ||
    isLeftToDevices(name, capacity, objects);
  const scored = (args.scoringStrategy?.resources ?? cpuAndMemory).map(({ name }) => name);
  return plugin<undefined, DeviceTotals | undefined>({
    name: 'NodeResourcesFit',
    isNodeLocal: true,
    retryWhen: [
      retryOn('Pod', ['delete', 'scaleDown'], freesRoom),
      retryOn('Node', ['add', 'allocatable'], (pod, event, objects) =>
        nodeGrew(pod, event, objects, isIgnored),
      ),
      retryOn('DeviceClass', ['add', 'update'], standsForWanted),
    ],
    filter: (pod, node, _state, { objects }) => roomFor(pod.requests, node, isIgnored, objects),
    ...(scored.some(canBeDevices)
      ? { preScore: (_pod, _nodes, cluster) => ({ state: deviceTotals(scored, cluster) }) }
      : {}),
    scoresNodeAlone: (devices) => devices === undefined,
    score,
  });
}

type IsIgnored = (name: string, capacity: number, objects: ClusterObjects) => boolean;

const isLeftToDevices: IsIgnored = (name, capacity, objects) =>
  capacity <= 0 && objects.classOfResource(name) !== undefined;

const tooManyPods = 'Too many pods';

interface Room {
  readonly podCapacity: number;
  readonly pods: { readonly size: number };
  readonly allocatable: ResourceAmounts;
  readonly requested: ResourceAmounts;
}

/** Lists everything that is insufficient; unresolvable if even the empty node is too small. */
function roomFor(
  requests: ResourceAmounts,
  node: Room,
  isIgnored: IsIgnored,
  objects: ClusterObjects,
): Status {
  return hasRoom(requests, node, isIgnored, objects) ? fits : shortage(requests, node, isIgnored, objects);
}

/** Allocation-free, since it runs for every pod and node. */
function hasRoom(
  { milliCpu, memoryBytes, ephemeralStorageBytes, scalars }: ResourceAmounts,
  { pods, podCapacity, allocatable, requested }: Room,
  isIgnored: IsIgnored,
  objects: ClusterObjects,
): boolean {
  if (pods.size >= podCapacity) return false;
  if (milliCpu > 0 && milliCpu > allocatable.milliCpu - requested.milliCpu) return false;
  if (memoryBytes > 0 && memoryBytes > allocatable.memoryBytes - requested.memoryBytes) return false;
  const storageLeft = allocatable.ephemeralStorageBytes - requested.ephemeralStorageBytes;
  if (ephemeralStorageBytes > 0 && ephemeralStorageBytes > storageLeft) return false;
  if (scalars.size === 0) return true;
  for (const [name, wanted] of scalars) {
    const capacity = allocatable.scalars.get(name) ?? 0;
    const left = capacity - (requested.scalars.get(name) ?? 0);
    if (wanted > 0 && wanted > left && !isIgnored(name, capacity, objects)) return false;
  }
  return true;
}

function shortage(
  requests: ResourceAmounts,
  node: Room,
  isIgnored: IsIgnored,
  objects: ClusterObjects,
): Rejection {
  const { allocatable, requested } = node;
  const short: string[] = [];
  let tooSmall = false;
  if (node.pods.size + 1 > node.podCapacity) short.push(tooManyPods);
  for (const name of requestedNames(requests)) {
    const wanted = resourceAmount(requests, name);
    const capacity = resourceAmount(allocatable, name);
    if (isScalarResource(name) && isIgnored(name, capacity, objects)) continue;
    if (wanted <= capacity - resourceAmount(requested, name)) continue;
    short.push(`Insufficient ${name}`);
    tooSmall ||= wanted > capacity;
  }
  return shortOf(short, tooSmall);
}

/** Nodes with the same shortage share one status, so that counting and caching is cheaper. */
const statusesMax = 256;
const statuses = new Map<string, Rejection>();

function shortOf(short: readonly string[], tooSmall: boolean): Rejection {
  const key = `${tooSmall}\n${short.join('\n')}`;
  let status = statuses.get(key);
  if (status === undefined) {
    status = tooSmall ? unresolvable(...short) : unschedulable(...short);
    if (statuses.size >= statusesMax) statuses.clear();
    statuses.set(key, status);
  }
  return status;
}

function freesRoom(pod: PodInfo, { action, before, after }: ClusterEvent): boolean {
  const old = before as Pod;
  if (action === 'delete') return Boolean(old.spec?.nodeName || old.status?.nominatedNodeName);
  const changed = after as Pod;
  if (changed.metadata?.uid === pod.uid) return true;
  if (!changed.spec?.nodeName) return false;
  const was = podRequests(old);
  const is = podRequests(changed);
  return requestedNames(pod.requests).some((name) => resourceAmount(was, name) > resourceAmount(is, name));
}

function nodeGrew(
  pod: PodInfo,
  { before, after }: ClusterEvent,
  objects: ClusterObjects,
  isIgnored: IsIgnored,
): boolean {
  const empty = { size: 0 };
  const none = readResources({});
  const is = capacityOf(after as Node);
  const room = roomFor(pod.requests, { ...is, pods: empty, requested: none }, isIgnored, objects);
  if (room.kind !== 'fits') return false;
  if (before === undefined) return true;
  const was = capacityOf(before as Node);
  if (is.podCapacity > was.podCapacity) return true;
  return (
    !asksForNothing(pod.requests) &&
    requestedNames(pod.requests).some(
      (name) =>
        resourceAmount(is.allocatable, name) > resourceAmount(was.allocatable, name) ||
        (isScalarResource(name) && isLeftToDevices(name, resourceAmount(is.allocatable, name), objects)),
    )
  );
}

/** Whether a new or changed DeviceClass provides a resource that the pod requests. */
function standsForWanted({ requests }: PodInfo, { before, after }: ClusterEvent): boolean {
  const was = before as DeviceClass | undefined;
  const { metadata, spec } = after as DeviceClass;
  if (was === undefined && requests.scalars.has(`${classResourcePrefix}${metadata?.name}`)) return true;
  const resource = spec.extendedResourceName ?? '';
  return resource !== (was?.spec.extendedResourceName ?? '') && requests.scalars.has(resource);
}

const capacityOf = (node: Node): Pick<NodeInfo, 'allocatable' | 'podCapacity'> => ({
  allocatable: readResources(node.status?.allocatable),
  podCapacity: podCapacityOf(node.status?.allocatable),
});

const requestedNames = (requests: ResourceAmounts): string[] =>
  ['cpu', 'memory', 'ephemeral-storage', ...requests.scalars.keys()].filter(
    (name) => resourceAmount(requests, name) > 0,
  );
