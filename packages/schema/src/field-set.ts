/**
 * A set of field paths in the form of managedFields (FieldsV1):
 *
 *     {"f:spec": {"f:replicas": {}, "f:template": {".": {}, "f:metadata": {}}}}
 *
 * A node that is empty or has `.` is a member; other nodes only lead to members. So sets are never parsed or printed:
 * the result of JSON.parse is the set, and results of operations are stored unchanged. Sets are never modified; equal
 * parts are shared.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** A set under construction. */
export type FieldSetDraft = Record<string, FieldSet>;

export const self = '.';

/** A member without members below it; as a whole set, the empty one. */
export const leaf: FieldSet = Object.freeze({});

/** For a whole set; a node inside a set always has members. */
export function isEmptySet(set: FieldSet): boolean {
  for (const _element in set) return false;
  return true;
}

/** Whether a node represents its own path, not only paths below it. */
export const isMember = (node: FieldSet): boolean => self in node || isEmptySet(node);

/** The paths in either set. */
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

/** The paths in both sets. */
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

/** Whether {@link intersection} is not empty. */
export function haveCommonPath(a: FieldSet, b: FieldSet): boolean {
  for (const element in a) {
    const [own, other] = [a[element]!, b[element]];
    if (element === self || other === undefined) continue;
    if ((isMember(own) && isMember(other)) || haveCommonPath(own, other)) return true;
  }
  return false;
}

/** The paths in `a` that are not in `b`. A path is kept even if `b` has one above or below it. */
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

/** The paths in `a` that are neither in `b` nor below one that is. */
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

/** Makes a node of its parts; undefined when it would be empty. */
export function nodeOf(member: boolean, below: FieldSet): FieldSet | undefined {
  if (isEmptySet(below)) return member ? leaf : undefined;
  return member ? asMember(below) : below;
}

const asMember = (below: FieldSet): FieldSet => ({ [self]: leaf, ...below });

/** The paths below a node, without the node itself. */
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

/** The path of every member, parents before children. */
export function* pathsOf(set: FieldSet, prefix: readonly string[] = []): Iterable<readonly string[]> {
  for (const element in set) {
    if (element !== self && isMember(set[element]!)) yield [...prefix, element];
  }
  for (const element in set) {
    if (element !== self) yield* pathsOf(set[element]!, [...prefix, element]);
  }
}
