import type { TreeKey, TreeNode } from './tree-node.ts';

/** Called in ascending order of keys. Absent: the tree doesn't have the key. */
export type VisitDifference<K, V> = (key: K, before: V | undefined, after: V | undefined) => void;

/**
 * Finds where two trees have different values. Nodes that both share are skipped, so the cost for trees that were
 * cloned from one another depends only on the changes since.
 */
export function visitDifference<K extends TreeKey, V>(
  before: TreeNode<K, V>,
  after: TreeNode<K, V>,
  visit: VisitDifference<K, V>,
): void {
  let left: readonly TreeNode<K, V>[] = [before];
  let right: readonly TreeNode<K, V>[] = [after];
  let leftHeight = heightOf(before);
  let rightHeight = heightOf(after);
  for (;;) {
    // Shared nodes have the same height above the leaves in both trees.
    if (leftHeight === rightHeight) [left, right] = withoutShared(left, right);
    if (leftHeight === 0 && rightHeight === 0) break;
    const height = Math.max(leftHeight, rightHeight);
    if (leftHeight === height) {
      left = childrenOf(left);
      leftHeight--;
    }
    if (rightHeight === height) {
      right = childrenOf(right);
      rightHeight--;
    }
  }
  visitEntries(entriesOf(left), entriesOf(right), visit);
}

function withoutShared<N>(left: readonly N[], right: readonly N[]): [N[], N[]] {
  const inLeft = new Set(left);
  const inRight = new Set(right);
  return [left.filter((node) => !inRight.has(node)), right.filter((node) => !inLeft.has(node))];
}

const childrenOf = <K, V>(nodes: readonly TreeNode<K, V>[]): TreeNode<K, V>[] =>
  nodes.flatMap(({ children }) => children ?? []);

/** All leaves of a tree have the same depth. */
function heightOf<K, V>(node: TreeNode<K, V>): number {
  let height = 0;
  for (let below = node.children?.[0]; below !== undefined; below = below.children?.[0]) height++;
  return height;
}

function entriesOf<K, V>(leaves: readonly TreeNode<K, V>[]): (readonly [K, V])[] {
  return leaves.flatMap((leaf) =>
    leaf.children === undefined ? leaf.keys.map((key, index) => [key, leaf.values[index]!] as const) : [],
  );
}

function visitEntries<K extends TreeKey, V>(
  left: readonly (readonly [K, V])[],
  right: readonly (readonly [K, V])[],
  visit: VisitDifference<K, V>,
): void {
  let next = 0;
  for (const [key, before] of left) {
    for (; next < right.length && right[next]![0] < key; next++) {
      visit(right[next]![0], undefined, right[next]![1]);
    }
    const isInBoth = next < right.length && right[next]![0] === key;
    const after = isInBoth ? right[next++]![1] : undefined;
    if (after !== before) visit(key, before, after);
  }
  for (; next < right.length; next++) visit(right[next]![0], undefined, right[next]![1]);
}
