/** Determines from managedFields who wrote which field of an object. */
import { deepEqual, type KubeObject } from '@coxswain/apimachinery';

export interface FieldOwner {
  readonly manager: string;
  readonly operation: string;
  readonly subresource: string;
  /** In milliseconds since the epoch; 0 if not recorded. */
  readonly timeMs: number;
}

/** A step of a path as in managedFields: `f:spec`, `k:{"name":"web"}`, `v:"a"`. */
export type PathStep = string;

interface Entry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: FieldSet;
}

interface FieldSet {
  readonly [step: PathStep]: FieldSet;
}

interface OwnedNode {
  readonly owners: FieldOwner[];
  readonly children: Map<PathStep, OwnedNode>;
}

export class FieldOwners {
  readonly #root: OwnedNode = newNode();

  constructor(object: KubeObject) {
    for (const entry of (object.metadata.managedFields ?? []) as readonly Entry[]) {
      const owner: FieldOwner = {
        manager: entry.manager ?? '',
        operation: entry.operation ?? '',
        subresource: entry.subresource ?? '',
        timeMs: entry.time === undefined ? 0 : Date.parse(entry.time),
      };
      if (entry.fieldsV1 !== undefined) note(this.#root, entry.fieldsV1, owner);
    }
  }

  /**
   * Returns the owners of the field, or of the nearest enclosing field that was written as a whole; the latest first.
   */
  of(path: readonly PathStep[]): readonly FieldOwner[] {
    let node: OwnedNode | undefined = this.#root;
    let whole: readonly FieldOwner[] = [];
    for (const step of path) {
      node = node.children.get(step);
      if (node === undefined) return latestFirst(whole);
      whole = node.children.size === 0 ? node.owners : [];
    }
    return latestFirst(node.owners.length > 0 ? node.owners : whole);
  }

  /** Returns the name by which managedFields refer to an item of the list at `path`; its index if they don't. */
  stepOfItem(path: readonly PathStep[], item: unknown, index: number): PathStep {
    const list = path.reduce<OwnedNode | undefined>((node, step) => node?.children.get(step), this.#root);
    for (const step of list?.children.keys() ?? []) {
      const named: unknown = step.startsWith('i:') ? undefined : JSON.parse(step.slice(2));
      if (step.startsWith('v:') && deepEqual(named, item)) return step;
      if (step.startsWith('k:') && hasMembers(item, named as Readonly<Record<string, unknown>>)) return step;
    }
    return `i:${index}`;
  }
}

const newNode = (): OwnedNode => ({ owners: [], children: new Map() });

function note(node: OwnedNode, fields: FieldSet, owner: FieldOwner): void {
  for (const [step, below] of Object.entries(fields)) {
    if (step === '.') {
      node.owners.push(owner);
      continue;
    }
    let child = node.children.get(step);
    if (child === undefined) node.children.set(step, (child = newNode()));
    if (Object.keys(below).length === 0) child.owners.push(owner);
    else note(child, below, owner);
  }
}

const latestFirst = (owners: readonly FieldOwner[]): readonly FieldOwner[] =>
  owners.toSorted((a, b) => b.timeMs - a.timeMs);

const hasMembers = (item: unknown, members: Readonly<Record<string, unknown>>): boolean =>
  typeof item === 'object' &&
  item !== null &&
  Object.entries(members).every(([key, value]) =>
    deepEqual((item as Readonly<Record<string, unknown>>)[key], value),
  );
