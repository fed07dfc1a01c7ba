/** The nodes of a tree: leaves with entries, and inner nodes with children. */

export type TreeKey = string | number;

export interface Owner {
  readonly mark: 'owner';
}

export interface Leaf<K, V> {
  readonly owner: Owner;
  readonly keys: K[];
  readonly values: V[];
  readonly children?: undefined;
}

export interface Inner<K, V> {
  readonly owner: Owner;
  /** `keys[i]` is not greater than any key in `children[i]`, and greater than all keys before it. */
  readonly keys: K[];
  readonly children: TreeNode<K, V>[];
  size: number;
}

export type TreeNode<K, V> = Leaf<K, V> | Inner<K, V>;
