/** The changes that a step made to an object: each member that differs, by its path. */
import { Confidential } from '@coxswain/apimachinery/confidential.ts';
import { JsonText, type GroupResource, type StepObserver } from '@coxswain/apimachinery';
import { hiddenValue, holdsSecrets } from '@coxswain/api/core/secret-values.ts';

export interface ObjectChange {
  /** `spec.template.spec.containers[0].image` */
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
