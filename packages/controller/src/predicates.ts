/** Filters for changes that trigger a reconcile. A change passes if the predicate returns true, or has no function for it. */

import { deepEqual, type KubeObject, type LabelSelector } from '@coxswain/apimachinery';

/**
 * Filters the changes that trigger a reconcile. If a function is omitted, all changes of its type pass.
 * @example
 * const grows: Predicate<KubeObject & Deployment> = {
 *   created: () => true,
 *   updated: (before, after) => (after.spec.replicas ?? 1) > (before.spec.replicas ?? 1),
 *   deleted: () => false,
 * };
 */
export interface Predicate<in T extends KubeObject = KubeObject> {
  /** Also called for objects that exist when the controller starts. */
  created?(object: T): boolean;
  /** Also called for a resync, with the same object twice. */
  updated?(before: T, after: T): boolean;
  /** Called with the last known state of the object. */
  deleted?(object: T): boolean;
}

/** Passes if the spec has changed, not just the status or the metadata. */
export const generationChanged: Predicate = {
  updated: (before, after) => before.metadata.generation !== after.metadata.generation,
};

/** Passes anything but a resync. */
export const resourceVersionChanged: Predicate = {
  updated: (before, after) => before.metadata.resourceVersion !== after.metadata.resourceVersion,
};

/** Passes if the labels have changed. */
export const labelsChanged: Predicate = {
  updated: (before, after) => !deepEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {}),
};

/** Passes if the annotations have changed. */
export const annotationsChanged: Predicate = {
  updated: (before, after) => !deepEqual(before.metadata.annotations ?? {}, after.metadata.annotations ?? {}),
};

/**
 * Passes changes of objects for which this returns true; for an update, the new object counts.
 * @example
 * const large = matching<KubeObject & Deployment>(({ spec }) => (spec.replicas ?? 1) > 10);
 */
export const matching = <T extends KubeObject>(holds: (object: T) => boolean): Predicate<T> => ({
  created: holds,
  updated: (_before, after) => holds(after),
  deleted: holds,
});

/**
 * Passes changes of objects whose labels match.
 * @example
 * const ours = labelled(selector);
 */
export const labelled = (selector: LabelSelector): Predicate =>
  matching((object) => selector.matches(object.metadata.labels));

/**
 * Passes changes that pass every one of these.
 * @example
 * const predicate = all(generationChanged, labelled(selector));
 */
export const all = <T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> => ({
  created: (object) => predicates.every((one) => passes(one.created?.(object))),
  updated: (before, after) => predicates.every((one) => passes(one.updated?.(before, after))),
  deleted: (object) => predicates.every((one) => passes(one.deleted?.(object))),
});

/**
 * Passes changes that pass at least one of these.
 * @example
 * const predicate = any(generationChanged, labelsChanged);
 */
export const any = <T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> => ({
  created: (object) => predicates.some((one) => passes(one.created?.(object))),
  updated: (before, after) => predicates.some((one) => passes(one.updated?.(before, after))),
  deleted: (object) => predicates.some((one) => passes(one.deleted?.(object))),
});

/**
 * Passes changes that do not pass this one.
 * @example
 * const predicate = not(labelled(selector));
 */
export const not = <T extends KubeObject>(predicate: Predicate<T>): Predicate<T> => ({
  created: (object) => !passes(predicate.created?.(object)),
  updated: (before, after) => !passes(predicate.updated?.(before, after)),
  deleted: (object) => !passes(predicate.deleted?.(object)),
});

const passes = (said: boolean | undefined): boolean => said ?? true;
