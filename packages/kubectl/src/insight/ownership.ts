/** Arranges objects by owner. */
import type { KubeObject } from '@coxswain/apimachinery';

export interface OwnedObject {
  readonly object: KubeObject;
  /** Sorted by kind and name. */
  readonly owned: readonly OwnedObject[];
}

/** Returns everything below `root` by ownerReferences; an object with several owners appears below each of them. */
export function ownershipTree(root: KubeObject, all: readonly KubeObject[]): OwnedObject {
  const byOwner = new Map<string, KubeObject[]>();
  for (const object of all) {
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const known = byOwner.get(uid);
      if (known === undefined) byOwner.set(uid, [object]);
      else known.push(object);
    }
  }
  return below(root, byOwner, new Set());
}

/** References may be cyclic: an ancestor is not shown again below an object. */
function below(
  object: KubeObject,
  byOwner: ReadonlyMap<string, readonly KubeObject[]>,
  above: ReadonlySet<string>,
): OwnedObject {
  const uid = object.metadata.uid ?? '';
  const path = new Set([...above, uid]);
  const owned = (byOwner.get(uid) ?? [])
    .filter((each) => !path.has(each.metadata.uid ?? ''))
    .sort((a, b) => compare(nameOf(a), nameOf(b)))
    .map((each) => below(each, byOwner, path));
  return { object, owned };
}

/** `ReplicaSet/web-7887448d46` */
export const nameOf = ({ kind = '', metadata }: KubeObject): string => `${kind}/${metadata.name ?? ''}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export interface TreeRow {
  readonly branch: string;
  readonly object: KubeObject;
}

export function treeRows({ object, owned }: OwnedObject, lead = '', branch = ''): readonly TreeRow[] {
  return [
    { branch: `${branch}${nameOf(object)}`, object },
    ...owned.flatMap((each, index) => {
      const isLast = index === owned.length - 1;
      return treeRows(each, `${lead}${isLast ? '  ' : '│ '}`, `${lead}${isLast ? '└─' : '├─'}`);
    }),
  ];
}
