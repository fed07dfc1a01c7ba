/** What a step made of an object: each member that differs, by its path. */
import { Confidential } from '@coxswain/apimachinery/confidential.ts';
import { JsonText, type GroupResource, type StepObserver } from '@coxswain/apimachinery';
import { hiddenValue, holdsSecrets } from '@coxswain/api/core/secret-values.ts';

export interface ObjectChange {
  /** `spec.template.spec.containers[0].image` */
  readonly path: string;
  /** Absent when the member was not there before. */
  readonly before?: unknown;
  /** Absent when it is there no more. */
  readonly after?: unknown;
}

/** More changes than this are one that is told as a whole. */
const changesMax = 200;

/** What differs between two moments, but for who owns which fields, which is told apart; found when somebody reads it. */
class ObjectChanges {
  readonly #before: JsonText;
  readonly #after: JsonText;

  constructor(before: JsonText, after: JsonText) {
    this.#before = before;
    this.#after = after;
  }

  toJSON(): readonly ObjectChange[] {
    const changes: ObjectChange[] = [];
    compare('', this.#before.toJSON() ?? undefined, this.#after.toJSON() ?? undefined, changes);
    return changes;
  }
}

/** {@link ObjectChanges}, of Secrets without their data. */
export function toldChanges(resource: GroupResource, before: unknown, after: unknown): object {
  const changes = new ObjectChanges(textOf(before), textOf(after));
  if (!holdsSecrets(resource)) return changes;
  return new Confidential(() => changes.toJSON().map(hidden), changes);
}

/** Changes of one object by several, one after the other: what one left is what the next one finds. */
export interface ChangedObject {
  object: unknown;
  /** As it was told last. */
  told?: JsonText;
}

/** Tells what `replace` puts in the place of the object, which itself stays as it is: nothing is read if nothing does. */
export function tellingReplacement<T>(
  observer: StepObserver,
  resource: GroupResource,
  changed: ChangedObject,
  replace: () => T,
): T {
  const { object } = changed;
  return thenTell(replace(), () => {
    if (changed.object === object) return;
    const before = changed.told ?? textOf(object);
    changed.told = textOf(changed.object);
    tell(observer, resource, before, changed.told);
  });
}

/** Tells what `change` makes of the object. */
export function tellingChanges<T>(
  observer: StepObserver,
  resource: GroupResource,
  changed: ChangedObject,
  change: () => T,
): T {
  const before = (changed.told ??= textOf(changed.object));
  return thenTell(change(), () => {
    changed.told = textOf(changed.object);
    tell(observer, resource, before, changed.told);
  });
}

function tell(observer: StepObserver, resource: GroupResource, before: JsonText, after: JsonText): void {
  if (after.text !== before.text) observer.note?.({ diff: toldChanges(resource, before, after) });
}

function thenTell<T>(done: T, tellIt: () => void): T {
  if (done instanceof Promise)
    return done.then((value: unknown) => {
      tellIt();
      return value;
    }) as T;
  tellIt();
  return done;
}

const textOf = (object: unknown): JsonText =>
  object instanceof JsonText ? object : new JsonText(withoutOwners(object as Owned));

interface Owned {
  readonly metadata?: { readonly managedFields?: unknown };
}

const withoutOwners = (object: Owned | undefined): unknown =>
  object?.metadata?.managedFields === undefined
    ? object
    : { ...object, metadata: { ...object.metadata, managedFields: undefined } };

function compare(path: string, before: unknown, after: unknown, changes: ObjectChange[]): void {
  if (before === after || changes.length >= changesMax) return;
  if (!isComposed(before) || !isComposed(after) || Array.isArray(before) !== Array.isArray(after)) {
    changes.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
    return;
  }
  for (const name in before) compare(joined(path, name, before), before[name], after[name], changes);
  for (const name in after)
    if (!(name in before)) compare(joined(path, name, after), undefined, after[name], changes);
}

const isComposed = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function joined(path: string, name: string, of: object): string {
  if (Array.isArray(of)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

const secretMembers = /^(data|stringData)\b|last-applied-configuration$|^metadata(\.annotations)?$/;

const hidden = ({ path, before, after }: ObjectChange): ObjectChange => {
  const shown = (value: unknown) => (secretMembers.test(path) || path === '' ? hiddenValue : value);
  return {
    path,
    ...(before !== undefined && { before: shown(before) }),
    ...(after !== undefined && { after: shown(after) }),
  };
};
