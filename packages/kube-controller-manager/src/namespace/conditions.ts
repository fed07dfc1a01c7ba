/** The conditions of a terminating namespace, which report what remains in it. */

import { formatTime } from '@coxswain/apimachinery';
import type { Namespace } from '../objects.ts';

export interface Remaining {
  /** The number of remaining objects, by `resource.group`. */
  readonly objects: ReadonlyMap<string, number>;
  /** The number of objects waiting for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The discovery errors, joined. */
  readonly discoveryFailure?: string;
  readonly failures: readonly string[];
  /** Whether only pods were considered, so that nothing is reported about what remains. */
  readonly partial: boolean;
}

type Condition = NonNullable<NonNullable<Namespace['status']>['conditions']>[number];

const fine: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  [
    'NamespaceDeletionGroupVersionParsingFailure',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
];

/** Returns the same list if nothing changed. */
export function namespaceConditions(
  current: readonly Condition[],
  remaining: Remaining,
  nowMs: number,
): readonly Condition[] {
  const troubles = troublesOf(remaining);
  let changed = false;
  const conditions = [...current];
  for (const [type, okReason, okMessage] of fine) {
    const trouble = troubles.get(type);
    const wanted = {
      type,
      status: trouble === undefined ? 'False' : 'True',
      reason: trouble?.reason ?? okReason,
      message: trouble?.message ?? okMessage,
    };
    const index = conditions.findIndex((condition) => condition.type === type);
    const before = conditions[index];
    if (
      before?.status === wanted.status &&
      before.reason === wanted.reason &&
      before.message === wanted.message
    )
      continue;
    changed = true;
    const lastTransitionTime =
      before?.status === wanted.status ? before.lastTransitionTime : formatTime(nowMs);
    const condition = { ...wanted, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) };
    if (index < 0) conditions.push(condition);
    else conditions[index] = condition;
  }
  return changed ? conditions : current;
}

function troublesOf(remaining: Remaining): Map<string, { reason: string; message: string }> {
  const troubles = new Map<string, { reason: string; message: string }>();
  const { objects, finalizers, failures, discoveryFailure, partial } = remaining;
  if (discoveryFailure !== undefined) {
    troubles.set('NamespaceDeletionDiscoveryFailure', {
      reason: 'DiscoveryFailed',
      message: discoveryFailure,
    });
  }
  if (failures.length > 0) {
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`;
    troubles.set('NamespaceDeletionContentFailure', { reason: 'ContentDeletionFailed', message });
  }
  if (partial) return troubles;
  if (objects.size > 0) {
    const left = [...objects]
      .map(([resource, count]) => `${resource} has ${count} resource instances`)
      .sort();
    troubles.set('NamespaceContentRemaining', {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${left.join(', ')}`,
    });
  }
  if (finalizers.size > 0) {
    const left = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`).sort();
    troubles.set('NamespaceFinalizersRemaining', {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${left.join(', ')}`,
    });
  }
  return troubles;
}
