/**
 * A set of field paths, in the very form in which managedFields hold it (FieldsV1):
 *
 *     {"f:spec": {"f:replicas": {}, "f:template": {".": {}, "f:metadata": {}}}}
 *
 * A node that is empty or holds `.` is a member; other nodes only lead to members. So no set is ever
 * parsed or printed: what JSON.parse made of a stored object is the set, and what an operation gives back
 * is stored. Sets are never modified; equal parts are shared.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** While it is being built. */
export type FieldSetDraft = Record<string, FieldSet>;

export const self = '.';

/** The member without members below it; as a whole set, the empty one. */
export const leaf: FieldSet = Object.freeze({});

/** Of a whole set; a node below it is never empty of members. */
export function isEmptySet(set: FieldSet): boolean {
  for (const _element in set) return false;
  return true;
}

/** Whether a node stands for its own path, not only for paths below it. */
export const isMember = (node: FieldSet): boolean => self in node || isEmptySet(node);

/** Paths in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  const all: FieldSetDraft = { ...a };
  for (const element in b) {
    const own = a[element];
    all[element] = own === undefined ? b[element]! : unionOfNodes(own, b[element]!);
  }
  return all;
}

function unionOfNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(a)) return isMember(b) ? b : asMember(b);
  if (isEmptySet(b)) return isMember(a) ? a : asMember(a);
  return union(a, b);
}

/** Paths in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const both: FieldSetDraft = {};
  for (const element in a) {
    const other = b[element];
    if (element === self || other === undefined) continue;
    const node = intersectionOfNodes(a[element]!, other);
    if (node !== undefined) both[element] = node;
  }
  return both;
}

function intersectionOfNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (a === b) return a;
  return nodeOf(isMember(a) && isMember(b), intersection(a, b));
}

/** Whether {@link intersection} has anything in it. */
export function haveCommonPath(a: FieldSet, b: FieldSet): boolean {
  for (const element in a) {
    const [own, other] = [a[element]!, b[element]];
    if (element === self || other === undefined) continue;
    if ((isMember(own) && isMember(other)) || haveCommonPath(own, other)) return true;
  }
  return false;
}

/** Paths in `a` that are not in `b`. A path stays though `b` has one above or below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  const rest: FieldSetDraft = {};
  for (const element in a) {
    if (element === self) continue;
    const other = b[element];
    const node = other === undefined ? a[element]! : differenceOfNodes(a[element]!, other);
    if (node !== undefined) rest[element] = node;
  }
  return rest;
}

function differenceOfNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (a === b) return undefined;
  return nodeOf(isMember(a) && !isMember(b), difference(a, b));
}

/** Paths in `a` that neither are in `b` nor lie below one that is. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  const rest: FieldSetDraft = {};
  for (const element in a) {
    if (element === self) continue;
    const other = b[element];
    if (other === undefined) {
      rest[element] = a[element]!;
    } else if (!isMember(other)) {
      const node = nodeOf(isMember(a[element]!), recursiveDifference(a[element]!, other));
      if (node !== undefined) rest[element] = node;
    }
  }
  return rest;
}

/** Whether every path of `a` is in `b`. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  for (const element in a) {
    if (element === self) continue;
    const [own, other] = [a[element]!, b[element]];
    if (own === other) continue;
    if (other === undefined || (isMember(own) && !isMember(other)) || !isSubset(own, other)) return false;
  }
  return true;
}

export const sameSet = (a: FieldSet, b: FieldSet): boolean => a === b || (isSubset(a, b) && isSubset(b, a));

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node[element];
    if (node === undefined) return false;
  }
  return isMember(node);
}

/** A node out of its parts; undefined when there is nothing in it. */
export function nodeOf(member: boolean, below: FieldSet): FieldSet | undefined {
  if (isEmptySet(below)) return member ? leaf : undefined;
  return member ? asMember(below) : below;
}

const asMember = (below: FieldSet): FieldSet => ({ [self]: leaf, ...below });

/** What lies below a node, without the node itself. */
export function below(node: FieldSet): FieldSet {
  if (!(self in node)) return node;
  const { [self]: _self, ...rest } = node;
  return rest;
}

/** `setOf(['spec', 'replicas'], ['status'])`, of plain field names. */
export function setOf(...paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, setOfPath(path)), leaf);
}

const setOfPath = (path: readonly string[]): FieldSet =>
  path.reduceRight<FieldSet>((set, name) => ({ [`f:${name}`]: set }), leaf);

/** Every member's path, members of a level before those below them. */
export function* pathsOf(set: FieldSet, prefix: readonly string[] = []): Iterable<readonly string[]> {
  for (const element in set) {
    if (element !== self && isMember(set[element]!)) yield [...prefix, element];
  }
  for (const element in set) {
    if (element !== self) yield* pathsOf(set[element]!, [...prefix, element]);
  }
}
