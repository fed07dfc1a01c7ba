/** Filters for changes that trigger a reconcile. A change passes if the predicate returns true, or has no function for it. */

import { deepEqual, type KubeObject, type LabelSelector } from '@coxswain/apimachinery';

export interface Predicate<in T extends KubeObject = KubeObject> {
  created?(object: T): boolean;
  updated?(before: T, after: T): boolean;
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

export const labelsChanged: Predicate = {
  updated: (before, after) => !deepEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {}),
};

export const annotationsChanged: Predicate = {
  updated: (before, after) => !deepEqual(before.metadata.annotations ?? {}, after.metadata.annotations ?? {}),
};

/** Objects for which this holds; for an update, the new object counts. */
export const matching = <T extends KubeObject>(holds: (object: T) => boolean): Predicate<T> => ({
  created: holds,
  updated: (_before, after) => holds(after),
  deleted: holds,
});

export const labelled = (selector: LabelSelector): Predicate =>
  matching((object) => selector.matches(object.metadata.labels));

export const all = <T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> => ({
  created: (object) => predicates.every((one) => passes(one.created?.(object))),
  updated: (before, after) => predicates.every((one) => passes(one.updated?.(before, after))),
  deleted: (object) => predicates.every((one) => passes(one.deleted?.(object))),
});

export const any = <T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> => ({
  created: (object) => predicates.some((one) => passes(one.created?.(object))),
  updated: (before, after) => predicates.some((one) => passes(one.updated?.(before, after))),
  deleted: (object) => predicates.some((one) => passes(one.deleted?.(object))),
});

export const not = <T extends KubeObject>(predicate: Predicate<T>): Predicate<T> => ({
  created: (object) => !passes(predicate.created?.(object)),
  updated: (before, after) => !passes(predicate.updated?.(before, after)),
  deleted: (object) => !passes(predicate.deleted?.(object)),
});

const passes = (said: boolean | undefined): boolean => said ?? true;
