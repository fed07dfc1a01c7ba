import { deepEqual } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { podRequests, resourceAmount } from './cache/resources.ts';
import type { ClusterEvent, EventAction } from './framework/cluster-event.ts';

/** Returns the events that an update of a node represents; none for a heartbeat. */
export function nodeChanges(before: Node | undefined, after: Node | undefined): readonly ClusterEvent[] {
  const event = (action: EventAction): ClusterEvent => ({ resource: 'Node', action, before, after });
  if (before === undefined) return [event('add')];
  if (after === undefined) return [event('delete')];
  return nodeAspects.filter(([, of]) => !deepEqual(of(before), of(after))).map(([action]) => event(action));
}

const nodeAspects: readonly (readonly [EventAction, (node: Node) => unknown])[] = [
  ['allocatable', (node) => node.status?.allocatable],
  ['labels', (node) => node.metadata?.labels],
  ['taints', (node) => [node.spec?.taints, node.spec?.unschedulable]],
  ['conditions', (node) => (node.status?.conditions ?? []).map(({ type, status }) => [type, status])],
  ['annotations', (node) => node.metadata?.annotations],
  ['declaredFeatures', (node) => node.status?.declaredFeatures],
];

/** Returns the events that a change of a pod represents for other pods, or for itself while it waits. */
export function podChanges(before: Pod | undefined, after: Pod | undefined): readonly ClusterEvent[] {
  const event = (action: EventAction): ClusterEvent => ({ resource: 'Pod', action, before, after });
  if (before === undefined) return after === undefined ? [] : [event('add')];
  if (after === undefined) return [event('delete')];
  const actions = podAspects.filter(([, changed]) => changed(before, after)).map(([action]) => action);
  return (actions.length === 0 ? (['update'] as const) : actions).map(event);
}

const podAspects: readonly (readonly [EventAction, (before: Pod, after: Pod) => boolean])[] = [
  ['labels', (before, after) => !deepEqual(before.metadata?.labels, after.metadata?.labels)],
  ['scaleDown', asksForLess],
  ['gatesRemoved', (before, after) => gates(before) > 0 && gates(after) === 0],
  ['tolerations', (before, after) => before.spec?.tolerations?.length !== after.spec?.tolerations?.length],
  [
    'generatedClaims',
    (before, after) => !deepEqual(before.status?.resourceClaimStatuses, after.status?.resourceClaimStatuses),
  ],
];

const gates = (pod: Pod): number => pod.spec?.schedulingGates?.length ?? 0;

function asksForLess(before: Pod, after: Pod): boolean {
  if (before.metadata?.generation === after.metadata?.generation && before.metadata?.generation !== undefined)
    return false;
  const was = podRequests(before);
  const is = podRequests(after);
  const names = ['cpu', 'memory', 'ephemeral-storage', ...was.scalars.keys()];
  return names.some((name) => resourceAmount(was, name) > resourceAmount(is, name));
}
