import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import {
  asksForNothing,
  podCapacityOf,
  podRequests,
  readResources,
  resourceAmount,
} from '../cache/resources.ts';
import type { ResourceAmounts } from '../cache/resources.ts';
import { retryOn } from '../framework/cluster-event.ts';
import type { ClusterEvent } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import type { AnyPlugin } from '../framework/plugin.ts';
import { fits, unresolvable, unschedulable } from '../framework/verdict.ts';
import type { Verdict } from '../framework/verdict.ts';
import { scorerOf } from './resource-scoring.ts';
import type { ScoringStrategy } from './resource-scoring.ts';

export interface NodeResourcesFitArgs {
  readonly ignoredResources?: readonly string[];
  readonly ignoredResourceGroups?: readonly string[];
  readonly scoringStrategy?: ScoringStrategy;
}

/** Room for the pod's requests; of the nodes with room, by default the emptiest. */
export function nodeResourcesFit(args: NodeResourcesFitArgs = {}): AnyPlugin {
  const score = scorerOf(args.scoringStrategy);
  const isIgnored = (name: string) =>
    (args.ignoredResources?.includes(name) ?? false) ||
    (args.ignoredResourceGroups?.includes(name.slice(0, name.indexOf('/'))) ?? false);
  return plugin({
    name: 'NodeResourcesFit',
    retryWhen: [
      retryOn('Pod', ['delete', 'scaleDown'], freesRoom),
      retryOn('Node', ['add', 'allocatable'], (pod, event) => nodeGrew(pod, event, isIgnored)),
    ],
    filter: (pod, node) => roomFor(pod.requests, node, isIgnored),
    score: (pod, node) => score(pod, node),
  });
}

const tooManyPods = 'Too many pods';

interface Room {
  readonly podCapacity: number;
  readonly pods: { readonly size: number };
  readonly allocatable: ResourceAmounts;
  readonly requested: ResourceAmounts;
}

/** All that is short at once; unresolvable when even the empty node is too small. */
function roomFor(requests: ResourceAmounts, node: Room, isIgnored: (name: string) => boolean): Verdict {
  const short: string[] = [];
  let tooSmall = false;
  if (node.pods.size + 1 > node.podCapacity) short.push(tooManyPods);
  const check = (name: string, wanted: number, capacity: number, used: number) => {
    if (wanted <= 0 || wanted <= capacity - used) return;
    short.push(`Insufficient ${name}`);
    tooSmall ||= wanted > capacity;
  };
  const { allocatable, requested } = node;
  check('cpu', requests.milliCpu, allocatable.milliCpu, requested.milliCpu);
  check('memory', requests.memoryBytes, allocatable.memoryBytes, requested.memoryBytes);
  const storage = requests.ephemeralStorageBytes;
  check('ephemeral-storage', storage, allocatable.ephemeralStorageBytes, requested.ephemeralStorageBytes);
  for (const [name, wanted] of requests.scalars) {
    if (isIgnored(name)) continue;
    check(name, wanted, allocatable.scalars.get(name) ?? 0, requested.scalars.get(name) ?? 0);
  }
  if (short.length === 0) return fits;
  return tooSmall ? unresolvable(...short) : unschedulable(...short);
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
  isIgnored: (name: string) => boolean,
): boolean {
  const empty = { size: 0 };
  const none = readResources({});
  const is = capacityOf(after as Node);
  if (roomFor(pod.requests, { ...is, pods: empty, requested: none }, isIgnored).kind !== 'fits') return false;
  if (before === undefined) return true;
  const was = capacityOf(before as Node);
  if (is.podCapacity > was.podCapacity) return true;
  return (
    !asksForNothing(pod.requests) &&
    requestedNames(pod.requests).some(
      (name) => resourceAmount(is.allocatable, name) > resourceAmount(was.allocatable, name),
    )
  );
}

const capacityOf = (node: Node): Pick<NodeInfo, 'allocatable' | 'podCapacity'> => ({
  allocatable: readResources(node.status?.allocatable),
  podCapacity: podCapacityOf(node.status?.allocatable),
});

const requestedNames = (requests: ResourceAmounts): string[] =>
  ['cpu', 'memory', 'ephemeral-storage', ...requests.scalars.keys()].filter(
    (name) => resourceAmount(requests, name) > 0,
  );
