/**
 * A sorted map that can be copied in O(1): a B+ tree whose nodes are shared between copies and copied when a copy first
 * changes them. A node belongs to the tree whose owner mark it carries; a tree changes its own nodes in place and
 * copies all others, so a tree that was never cloned has no overhead.
 */

import { visitDifference, type VisitDifference } from './tree-difference.ts';

import type { TreeKey, Owner, Leaf, Inner, TreeNode } from './tree-node.ts';

/**
 * The maximum number of entries of a leaf, or children of an inner node. By measurement 32–64 are equally fast, smaller
 * and larger ones slower.
 */
const widthMax = 48;
const widthMin = 12;

export class Tree<K extends TreeKey, V> {
  #root: TreeNode<K, V>;
  #owner: Owner;

  constructor() {
    this.#owner = { mark: 'owner' };
    this.#root = { owner: this.#owner, keys: [], values: [] };
  }

  get size(): number {
    return sizeOf(this.#root);
  }

  /** A separate tree with the same content. O(1): both share their nodes until one of them changes. */
  clone(): Tree<K, V> {
    const copy = new Tree<K, V>();
    copy.#root = this.#root;
    this.#owner = { mark: 'owner' };
    return copy;
  }

  get(key: K): V | undefined {
    let node = this.#root;
    while (node.children !== undefined) node = node.children[childIndex(node.keys, key)]!;
    const index = lowerBound(node.keys, key);
    return node.keys[index] === key ? node.values[index] : undefined;
  }

  /** Returns the previous value. */
  set(key: K, value: V): V | undefined {
    const change: Put<K, V> = { key, value, previous: undefined, split: undefined };
    const root = this.#put(this.#root, change);
    this.#root = change.split === undefined ? root : this.#parent(root, change.split);
    return change.previous;
  }

  /** Returns the removed value. */
  delete(key: K): V | undefined {
    const removed = this.get(key);
    if (removed === undefined) return undefined;
    let root = this.#remove(this.#root, key);
    while (root.children?.length === 1) root = root.children[0]!;
    this.#root = root;
    return removed;
  }

  /** The number of keys less than `key`. */
  rank(key: K): number {
    let node = this.#root;
    let before = 0;
    while (node.children !== undefined) {
      const index = childIndex(node.keys, key);
      for (let i = 0; i < index; i++) before += sizeOf(node.children[i]!);
      node = node.children[index]!;
    }
    return before + lowerBound(node.keys, key);
  }

  /** The number of keys `k` with `start <= k < end`. */
  count(start: K, end: K): number {
    return Math.max(0, this.rank(end) - this.rank(start));
  }

  /** Calls `visit` for `start <= key < end` in ascending order until it returns false. */
  scan(start: K, end: K, visit: (value: V, key: K) => boolean | void): void {
    scanNode(this.#root, start, end, visit);
  }

  /** The same in descending order, from the greatest key below `end`. */
  scanDown(start: K, end: K, visit: (value: V, key: K) => boolean | void): void {
    scanNodeDown(this.#root, start, end, visit);
  }

  /** Finds where this tree and a later one have different values; see {@link visitDifference}. */
  difference(after: Tree<K, V>, visit: VisitDifference<K, V>): void {
    visitDifference(this.#root, after.#root, visit);
  }

  firstKey(): K | undefined {
    let node = this.#root;
    while (node.children !== undefined) node = node.children[0]!;
    return node.keys[0];
  }

  /** Returns `node`, or a copy of it that this tree may change. */
  #own<N extends TreeNode<K, V>>(node: N): N {
    if (node.owner === this.#owner) return node;
    const copy: TreeNode<K, V> =
      node.children === undefined
        ? { owner: this.#owner, keys: node.keys.slice(), values: node.values.slice() }
        : { owner: this.#owner, keys: node.keys.slice(), children: node.children.slice(), size: node.size };
    return copy as N;
  }

  #put(node: TreeNode<K, V>, change: Put<K, V>): TreeNode<K, V> {
    const own = this.#own(node);
    if (own.children === undefined) putInLeaf(own, change);
    else {
      const index = childIndex(own.keys, change.key);
      own.children[index] = this.#put(own.children[index]!, change);
      if (change.key < own.keys[index]!) own.keys[index] = change.key;
      if (change.previous === undefined) own.size++;
      if (change.split !== undefined) {
        own.keys.splice(index + 1, 0, lowest(change.split));
        own.children.splice(index + 1, 0, change.split);
      }
    }
    change.split = own.keys.length > widthMax ? this.#splitOff(own) : undefined;
    return own;
  }

  /** Moves the upper half of `node` to a new sibling. */
  #splitOff(node: TreeNode<K, V>): TreeNode<K, V> {
    const at = widthMax >> 1;
    const keys = node.keys.splice(at);
    if (node.children === undefined) return { owner: this.#owner, keys, values: node.values.splice(at) };
    const children = node.children.splice(at);
    const size = sumOf(children);
    node.size -= size;
    return { owner: this.#owner, keys, children, size };
  }

  #parent(left: TreeNode<K, V>, right: TreeNode<K, V>): TreeNode<K, V> {
    return {
      owner: this.#owner,
      keys: [lowest(left), lowest(right)],
      children: [left, right],
      size: sizeOf(left) + sizeOf(right),
    };
  }

  /** `key` must exist. */
  #remove(node: TreeNode<K, V>, key: K): TreeNode<K, V> {
    const own = this.#own(node);
    if (own.children === undefined) {
      const index = lowerBound(own.keys, key);
      own.keys.splice(index, 1);
      own.values.splice(index, 1);
      return own;
    }
    const index = childIndex(own.keys, key);
    const child = this.#remove(own.children[index]!, key);
    own.children[index] = child;
    own.size--;
    if (child.keys.length === 0) {
      own.keys.splice(index, 1);
      own.children.splice(index, 1);
    } else if (child.keys.length < widthMin && own.children.length > 1) {
      this.#join(own, index === 0 ? 0 : index - 1);
    }
    return own;
  }

  /** Merges the children at `index` and `index + 1` when they fit into one. */
  #join(node: Inner<K, V>, index: number): void {
    const right = node.children[index + 1]!;
    if (node.children[index]!.keys.length + right.keys.length > widthMax) return;
    const left = this.#own(node.children[index]!);
    left.keys.push(...right.keys);
    if (left.children === undefined) left.values.push(...(right as Leaf<K, V>).values);
    else {
      left.children.push(...(right as Inner<K, V>).children);
      left.size += sizeOf(right);
    }
    node.children[index] = left;
    node.keys.splice(index + 1, 1);
    node.children.splice(index + 1, 1);
  }
}

interface Put<K, V> {
  readonly key: K;
  readonly value: V;
  previous: V | undefined;
  split: TreeNode<K, V> | undefined;
}

function putInLeaf<K extends TreeKey, V>(leaf: Leaf<K, V>, change: Put<K, V>): void {
  const index = lowerBound(leaf.keys, change.key);
  if (leaf.keys[index] === change.key) {
    change.previous = leaf.values[index];
    leaf.values[index] = change.value;
  } else if (index === leaf.keys.length) {
    leaf.keys.push(change.key);
    leaf.values.push(change.value);
  } else {
    leaf.keys.splice(index, 0, change.key);
    leaf.values.splice(index, 0, change.value);
  }
}

/** The index of the first key that is not less than `key`. */
function lowerBound<K extends TreeKey>(keys: readonly K[], key: K): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the child that contains `key`, or would. */
function childIndex<K extends TreeKey>(keys: readonly K[], key: K): number {
  const index = lowerBound(keys, key);
  return keys[index] === key ? index : Math.max(0, index - 1);
}

function sizeOf<K, V>(node: TreeNode<K, V>): number {
  return node.children === undefined ? node.keys.length : node.size;
}

function sumOf<K, V>(nodes: readonly TreeNode<K, V>[]): number {
  let sum = 0;
  for (const node of nodes) sum += sizeOf(node);
  return sum;
}

function lowest<K, V>(node: TreeNode<K, V>): K {
  return node.keys[0]!;
}

function scanNode<K extends TreeKey, V>(
  node: TreeNode<K, V>,
  start: K,
  end: K,
  visit: (value: V, key: K) => boolean | void,
): boolean {
  if (node.children === undefined) {
    for (let i = lowerBound(node.keys, start); i < node.keys.length; i++) {
      const key = node.keys[i]!;
      if (key >= end || visit(node.values[i]!, key) === false) return false;
    }
    return true;
  }
  const first = childIndex(node.keys, start);
  for (let i = first; i < node.children.length; i++) {
    if (node.keys[i]! >= end) return false;
    // A child between two others is completely in the range.
    const isWhole = i > first && i + 1 < node.keys.length && node.keys[i + 1]! <= end;
    const child = node.children[i]!;
    if (!(isWhole ? scanWhole(child, visit) : scanNode(child, start, end, visit))) return false;
  }
  return true;
}

function scanWhole<K extends TreeKey, V>(
  node: TreeNode<K, V>,
  visit: (value: V, key: K) => boolean | void,
): boolean {
  if (node.children !== undefined) return node.children.every((child) => scanWhole(child, visit));
  for (let i = 0; i < node.keys.length; i++)
    if (visit(node.values[i]!, node.keys[i]!) === false) return false;
  return true;
}

function scanNodeDown<K extends TreeKey, V>(
  node: TreeNode<K, V>,
  start: K,
  end: K,
  visit: (value: V, key: K) => boolean | void,
): boolean {
  if (node.children === undefined) {
    for (let i = lowerBound(node.keys, end) - 1; i >= 0; i--) {
      const key = node.keys[i]!;
      if (key < start || visit(node.values[i]!, key) === false) return false;
    }
    return true;
  }
  for (let i = childIndex(node.keys, end); i >= 0; i--) {
    if (!scanNodeDown(node.children[i]!, start, end, visit)) return false;
  }
  return true;
}
