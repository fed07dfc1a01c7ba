/** The changes that a step made to an object: each member that differs, by its path. */
import { Confidential } from '@coxswain/apimachinery/confidential.ts';
import { JsonText, type GroupResource, type StepObserver } from '@coxswain/apimachinery';
import { hiddenValue, holdsSecrets } from '@coxswain/api/core/secret-values.ts';

export interface ObjectChange {
  /** `spec.template.spec.containers[nginx].image`; elements without names have their index instead. */
  readonly path: string;
  /** Absent when the member did not exist before. */
  readonly before?: unknown;
  /** Absent when the member no longer exists. */
  readonly after?: unknown;
}

/** More changes than this are reported as a single one. */
const changesMax = 200;

/**
 * The differences between two states, except managedFields, which are reported separately; computed when first read.
 */
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

/** {@link ObjectChanges}, without the data of Secrets. */
export function recordedChanges(resource: GroupResource, before: unknown, after: unknown): object {
  const changes = new ObjectChanges(textOf(before), textOf(after));
  if (!holdsSecrets(resource)) return changes;
  return new Confidential(() => changes.toJSON().map(hidden), changes);
}

/** An object that several steps change in turn: each starts from the previous one's result. */
export interface ChangedObject {
  object: unknown;
  /** The object's JSON as last reported. */
  reported?: JsonText;
}

/**
 * Reports the change when `replace` returns another object, which is otherwise not modified: nothing is compared if the
 * object stays the same.
 */
export function recordingReplacement<T>(
  observer: StepObserver,
  resource: GroupResource,
  changed: ChangedObject,
  replace: () => T,
): T {
  const { object } = changed;
  return thenReport(replace(), () => {
    if (changed.object === object) return;
    const before = changed.reported ?? textOf(object);
    changed.reported = textOf(changed.object);
    report(observer, resource, before, changed.reported);
  });
}

/** Reports the changes that `change` makes to the object. */
export function recordingChanges<T>(
  observer: StepObserver,
  resource: GroupResource,
  changed: ChangedObject,
  change: () => T,
): T {
  const before = (changed.reported ??= textOf(changed.object));
  return thenReport(change(), () => {
    changed.reported = textOf(changed.object);
    report(observer, resource, before, changed.reported);
  });
}

function report(observer: StepObserver, resource: GroupResource, before: JsonText, after: JsonText): void {
  if (after.text !== before.text) observer.note?.({ diff: recordedChanges(resource, before, after) });
}

function thenReport<T>(done: T, reportIt: () => void): T {
  if (done instanceof Promise)
    return done.then((value: unknown) => {
      reportIt();
      return value;
    }) as T;
  reportIt();
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
  const key = elementKey(before, after);
  const [one, other] = key === undefined ? [before, after] : [membersBy(key, before), membersBy(key, after)];
  const joined = (name: string) =>
    Array.isArray(before) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
  for (const name in one) compare(joined(name), one[name], other[name], changes);
  for (const name in other) if (!(name in one)) compare(joined(name), undefined, other[name], changes);
}

type Members = Record<string, unknown>;

/**
 * The member that tells the elements of both lists apart: the name of containers, the type of conditions. Undefined for
 * other lists, and if elements only changed places.
 */
function elementKey(before: Members, after: Members): string | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length + after.length === 0) return undefined;
  return ['name', 'type'].find((key) => {
    const [one, other] = [namesBy(key, before), namesBy(key, after)];
    if (one === undefined || other === undefined) return false;
    const hasSameNames = one.size === other.size && [...one].every((name) => other.has(name));
    return !hasSameNames || [...one].join() === [...other].join();
  });
}

/** The names of the elements; undefined if some have none, or the same. */
function namesBy(key: string, list: readonly unknown[]): ReadonlySet<string> | undefined {
  const names = list.map((element) => (isComposed(element) ? element[key] : undefined));
  const all = new Set(names.filter((name) => typeof name === 'string'));
  return all.size === list.length ? all : undefined;
}

const membersBy = (key: string, list: Members): Members =>
  Object.fromEntries((list as unknown as readonly Members[]).map((element) => [element[key], element]));

const isComposed = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const secretMembers = /^(data|stringData)\b|last-applied-configuration$|^metadata(\.annotations)?$/;

const hidden = ({ path, before, after }: ObjectChange): ObjectChange => {
  const shown = (value: unknown) => (secretMembers.test(path) || path === '' ? hiddenValue : value);
  return {
    path,
    ...(before !== undefined && { before: shown(before) }),
    ...(after !== undefined && { after: shown(after) }),
  };
};
