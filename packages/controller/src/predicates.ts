/** Filters for changes that trigger a reconcile. A change passes if the predicate returns true, or has no function for it. */

import { deepEqual, type KubeObject, type LabelSelector } from '@coxswain/apimachinery';

/**
 * Which changes trigger a reconcile. A function that is left out lets all changes of its sort through.
 * @example
 * const grows: Predicate<KubeObject & Deployment> = {
 *   created: () => true,
 *   updated: (before, after) => (after.spec.replicas ?? 1) > (before.spec.replicas ?? 1),
 *   deleted: () => false,
 * };
 */
export interface Predicate<in T extends KubeObject = KubeObject> {
  /** Also for objects that are there when the controller starts. */
  created?(object: T): boolean;
  /** Also for a resync, with the same object twice. */
  updated?(before: T, after: T): boolean;
  /** The last known state of the object. */
  deleted?(object: T): boolean;
}

/** The spec has changed, not just the status or the metadata. */
export const generationChanged: Predicate = {
  updated: (before, after) => before.metadata.generation !== after.metadata.generation,
};

/** Not a resync. */
export const resourceVersionChanged: Predicate = {
  updated: (before, after) => before.metadata.resourceVersion !== after.metadata.resourceVersion,
};

/** The labels have changed. */
export const labelsChanged: Predicate = {
  updated: (before, after) => !deepEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {}),
};

/** The annotations have changed. */
export const annotationsChanged: Predicate = {
  updated: (before, after) => !deepEqual(before.metadata.annotations ?? {}, after.metadata.annotations ?? {}),
};

/**
 * Objects for which this holds; for an update, the new object counts.
 * @example
 * const large = matching<KubeObject & Deployment>(({ spec }) => (spec.replicas ?? 1) > 10);
 */
export const matching = <T extends KubeObject>(holds: (object: T) => boolean): Predicate<T> => ({
  created: holds,
  updated: (_before, after) => holds(after),
  deleted: holds,
});

/**
 * Objects whose labels match.
 * @example
 * const ours = labelled(selector);
 */
export const labelled = (selector: LabelSelector): Predicate =>
  matching((object) => selector.matches(object.metadata.labels));

/**
 * Changes that pass every one of these.
 * @example
 * const predicate = all(generationChanged, labelled(selector));
 */
export const all = <T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> => ({
  created: (object) => predicates.every((one) => passes(one.created?.(object))),
  updated: (before, after) => predicates.every((one) => passes(one.updated?.(before, after))),
  deleted: (object) => predicates.every((one) => passes(one.deleted?.(object))),
});

/**
 * Changes that pass at least one of these.
 * @example
 * const predicate = any(generationChanged, labelsChanged);
 */
export const any = <T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> => ({
  created: (object) => predicates.some((one) => passes(one.created?.(object))),
  updated: (before, after) => predicates.some((one) => passes(one.updated?.(before, after))),
  deleted: (object) => predicates.some((one) => passes(one.deleted?.(object))),
});

/**
 * Changes that do not pass this one.
 * @example
 * const predicate = not(labelled(selector));
 */
export const not = <T extends KubeObject>(predicate: Predicate<T>): Predicate<T> => ({
  created: (object) => !passes(predicate.created?.(object)),
  updated: (before, after) => !passes(predicate.updated?.(before, after)),
  deleted: (object) => !passes(predicate.deleted?.(object)),
});

const passes = (said: boolean | undefined): boolean => said ?? true;
