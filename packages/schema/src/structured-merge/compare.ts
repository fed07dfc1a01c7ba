/**
 * The differences of two objects as field sets. Compiled once per type into closures; equal parts cost no allocation.
 */

import { deepEqual } from '../strategic-merge/values.ts';
import { shapeOf } from '../shape.ts';
import { below, isEmptySet, leaf, nodeOf, type FieldSet, type FieldSetDraft } from '../field-set.ts';
import {
  deduced,
  fieldTypeOf,
  granularityOf,
  isDeduced,
  isHollow,
  isObject,
  takesUnknown,
  type MergeType,
} from './granularity.ts';
import { identifierOf } from './list-element.ts';
import type { ListType, StructType } from '../type.ts';

export interface Comparison {
  /** The paths that the right object has and the left lacks, or has with another value. */
  readonly changed: FieldSet;
  /** The paths that only the left object has. */
  readonly removed: FieldSet;
}

/** @throws Error when an element of a list cannot be identified */
export function compare(type: StructType, left: unknown, right: unknown): Comparison {
  const found = comparerOf(type)(left, right);
  if (found === undefined) return same;
  return {
    changed: found.changed === undefined ? leaf : below(found.changed),
    removed: found.removed === undefined ? leaf : below(found.removed),
  };
}

const same: Comparison = { changed: leaf, removed: leaf };

/** The nodes of one value; undefined if empty. */
interface Nodes {
  readonly changed: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
}

/** `undefined` stands for an absent value, and for no difference; identical values never differ. */
type Compare = (left: unknown, right: unknown) => Nodes | undefined;

const leafChanged: Nodes = { changed: leaf, removed: undefined };
const leafRemoved: Nodes = { changed: undefined, removed: leaf };

const comparers = new WeakMap<object, Compare>();

function comparerOf(type: MergeType): Compare {
  if (isDeduced(type)) return compareDeduced;
  let comparer = comparers.get(type);
  if (comparer === undefined) comparers.set(type, (comparer = compiled(type)));
  return comparer;
}

function compiled(type: MergeType): Compare {
  const granularity = granularityOf(type, undefined);
  switch (granularity.kind) {
    case 'leaf':
      return compareLeaves;
    case 'struct':
      return compareContainers(membersOfStructs(granularity.struct));
    case 'map':
      return compareContainers(membersOfMaps(granularity.value));
    case 'list':
      return compareContainers(elementsOfLists(granularity.list));
  }
}

const compareLeaves: Compare = (left, right) => {
  if (left === right) return undefined;
  if (right === undefined) return leafRemoved;
  return left === undefined || !deepEqual(left, right) ? leafChanged : undefined;
};

/** Compares the contents of two containers and adds the result to the drafts. */
type CompareContents = (
  left: unknown,
  right: unknown,
  changed: FieldSetDraft,
  removed: FieldSetDraft,
) => void;

const compareContainers =
  (compareContents: CompareContents): Compare =>
  (left, right) => {
    if (left === right) return undefined;
    if (isHollow(left) && isHollow(right)) return compareLeaves(left, right);
    const changed: FieldSetDraft = {};
    const removed: FieldSetDraft = {};
    compareContents(left, right, changed, removed);
    const changedNode = nodeOf(left === undefined, changed);
    const removedNode = nodeOf(right === undefined, removed);
    return changedNode === undefined && removedNode === undefined
      ? undefined
      : { changed: changedNode, removed: removedNode };
  };

function record(
  nodes: Nodes | undefined,
  element: string,
  changed: FieldSetDraft,
  removed: FieldSetDraft,
): void {
  if (nodes === undefined) return;
  if (nodes.changed !== undefined) changed[element] = nodes.changed;
  if (nodes.removed !== undefined) removed[element] = nodes.removed;
}

interface MemberComparer {
  readonly element: string;
  readonly compare: Compare;
}

function membersOfStructs(struct: StructType): CompareContents {
  let members: Map<string, MemberComparer> | undefined;
  const prepare = (): Map<string, MemberComparer> =>
    new Map(
      shapeOf(struct).members.map(({ name, field }) => [
        name,
        { element: `f:${name}`, compare: lazily(() => comparerOf(fieldTypeOf(field))) },
      ]),
    );
  const memberOf = (name: string): MemberComparer | undefined => {
    members ??= prepare();
    const known = members.get(name);
    return known ?? (takesUnknown(struct) ? { element: `f:${name}`, compare: compareDeduced } : undefined);
  };
  return (left, right, changed, removed) => {
    const [lefts, rights] = [isObject(left) ? left : nothing, isObject(right) ? right : nothing];
    for (const name in rights) {
      if (lefts[name] === rights[name]) continue;
      const member = memberOf(name);
      if (member === undefined) continue;
      record(member.compare(lefts[name], rights[name]), member.element, changed, removed);
    }
    for (const name in lefts) {
      if (rights[name] !== undefined) continue;
      const member = memberOf(name);
      if (member === undefined) continue;
      record(member.compare(lefts[name], undefined), member.element, changed, removed);
    }
  };
}

const nothing: Record<string, unknown> = Object.create(null) as Record<string, unknown>;

function lazily(make: () => Compare): Compare {
  let made: Compare | undefined;
  return (left, right) => (made ??= make())(left, right);
}

function membersOfMaps(value: MergeType): CompareContents {
  const compareValues = lazily(() => comparerOf(value));
  return (left, right, changed, removed) => {
    const [lefts, rights] = [isObject(left) ? left : nothing, isObject(right) ? right : nothing];
    for (const key in rights) {
      const own = Object.hasOwn(lefts, key) ? lefts[key] : undefined;
      if (own === rights[key]) continue;
      record(compareValues(own, rights[key]), `f:${key}`, changed, removed);
    }
    for (const key in lefts) {
      if (!Object.hasOwn(rights, key))
        record(compareValues(lefts[key], undefined), `f:${key}`, changed, removed);
    }
  };
}

/** A value without a schema. If the kinds of value differ, the left is removed and the right is new. */
const compareDeduced: Compare = (left, right) => {
  if (!isObject(left) && !isObject(right)) return compareLeaves(left, right);
  const nodes = compareDeducedMaps(left, right);
  if (isObject(left) ? isMapLike(right) : isMapLike(left)) return nodes;
  // A value that is a map on one side only has changed itself, too.
  return { changed: nodeOf(true, below(nodes?.changed ?? leaf)), removed: nodes?.removed };
};

/** Changing between an absent value and a map does not count as a change of kind. */
const isMapLike = (value: unknown): boolean => value === undefined || value === null || isObject(value);

const compareDeducedMaps = compareContainers(membersOfMaps(deduced));

function elementsOfLists(list: ListType): CompareContents {
  const identify = identifierOf(list);
  const compareItems = lazily(() => comparerOf(list.element));
  return (left, right, changed, removed) => {
    const [leftItems, rightItems] = [itemsOf(left), itemsOf(right)];
    const leftElements = leftItems.map(identify);
    const rightElements = rightItems.map(identify);
    if (areSameInOrder(leftElements, rightElements)) {
      for (const [at, element] of rightElements.entries()) {
        record(compareItems(leftItems[at], rightItems[at]), element, changed, removed);
      }
      return;
    }
    const lefts = indexed(leftItems, leftElements);
    const rights = indexed(rightItems, rightElements);
    for (const [element, items] of rights) {
      record(compareSame(lefts.get(element) ?? none, items, compareItems), element, changed, removed);
    }
    for (const [element, items] of lefts) {
      if (!rights.has(element)) record(compareSame(items, none, compareItems), element, changed, removed);
    }
  };
}

const none: readonly unknown[] = [];

const itemsOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? (list as unknown[]) : none);

/** For up to this many elements, comparing each pair costs less than a set. */
const pairsElementsMax = 16;

/** Whether each element occurs once, and in the same order on both sides, as in most lists that are rewritten. */
function areSameInOrder(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  if (left.length > pairsElementsMax) return new Set(left).size === left.length;
  return left.every((element, at) => left.indexOf(element) === at);
}

function indexed(items: readonly unknown[], elements: readonly string[]): Map<string, readonly unknown[]> {
  const index = new Map<string, unknown[]>();
  for (const [at, element] of elements.entries()) {
    const others = index.get(element);
    if (others === undefined) index.set(element, [items[at]]);
    else others.push(items[at]);
  }
  return index;
}

/** Items with the same identity. Several of them are owned as one. */
function compareSame(
  left: readonly unknown[],
  right: readonly unknown[],
  compareItems: Compare,
): Nodes | undefined {
  if (left.length <= 1 && right.length <= 1) return compareItems(left[0], right[0]);
  if (left.length > 1 && right.length > 1) return deepEqual(left, right) ? undefined : leafChanged;
  const [single, isRemoval] = left.length > 1 ? [right[0], true] : [left[0], false];
  const nodes =
    single === undefined
      ? undefined
      : isRemoval
        ? compareItems(undefined, single)
        : compareItems(single, undefined);
  return isRemoval ? { changed: nodes?.changed, removed: leaf } : { changed: leaf, removed: nodes?.removed };
}

export const isSame = ({ changed, removed }: Comparison): boolean =>
  isEmptySet(changed) && isEmptySet(removed);
