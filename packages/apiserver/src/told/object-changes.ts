/** What a step made of an object: each member that differs, by its path. */
import type { GroupResource, StepObserver } from '@coxswain/apimachinery';
import { hiddenValue, holdsSecrets } from '@coxswain/api/core/secret-values.ts';

export interface ObjectChange {
  /** `spec.template.spec.containers[0].image` */
  readonly path: string;
  /** Absent when the member was not there before. */
  readonly before?: unknown;
  /** Absent when it is there no more. */
  readonly after?: unknown;
}

/** More changes than this are not told. */
const changesMax = 200;

/** What differs between two objects. */
export const changesBetween = (
  resource: GroupResource,
  before: unknown,
  after: unknown,
): readonly ObjectChange[] => new FollowedObject(resource, before).follow(after);

/** A copy of an object, brought up to date after each change: that costs less than to keep a text of each state. */
export class FollowedObject {
  readonly #resource: GroupResource;
  #copy: unknown;

  constructor(resource: GroupResource, object: unknown) {
    this.#resource = resource;
    this.#copy = copied(object);
  }

  /** What differs since it was looked at last; the values stay as they are. */
  follow(object: unknown): readonly ObjectChange[] {
    const changes: ObjectChange[] = [];
    this.#copy = followed('', this.#copy, object, changes);
    return holdsSecrets(this.#resource) ? changes.map(hidden) : changes;
  }
}

/** Changes of one object by several, one after the other: what one left is what the next one finds. */
export interface ChangedObject {
  object: unknown;
  /** As it was told last. */
  told?: FollowedObject;
}

/** Tells what `change` makes of the object. */
export function tellingChanges<T>(
  observer: StepObserver,
  resource: GroupResource,
  changed: ChangedObject,
  change: () => T,
): T {
  const told = (changed.told ??= new FollowedObject(resource, changed.object));
  const tell = () => {
    const diff = told.follow(changed.object);
    if (diff.length > 0) observer.note?.({ diff });
  };
  const done = change();
  if (done instanceof Promise)
    return done.then((value: unknown) => {
      tell();
      return value;
    }) as T;
  tell();
  return done;
}

/** The copy as the object is now. */
function followed(path: string, copy: unknown, now: unknown, changes: ObjectChange[]): unknown {
  if (copy === now) return copy;
  if (!isComposed(copy) || !isComposed(now) || Array.isArray(copy) !== Array.isArray(now)) {
    if (changes.length < changesMax)
      changes.push({
        path,
        ...(copy !== undefined && { before: copy }),
        ...(now !== undefined && { after: copied(now) }),
      });
    return copied(now);
  }
  for (const name in copy) {
    const member = Object.hasOwn(now, name) ? now[name] : undefined;
    if (copy[name] === member) continue;
    copy[name] = followed(joined(path, name, copy), copy[name], member, changes);
    if (member === undefined) delete copy[name];
  }
  for (const name in now) {
    if (Object.hasOwn(copy, name) || now[name] === undefined || isUntold(name)) continue;
    copy[name] = followed(joined(path, name, now), undefined, now[name], changes);
  }
  if (Array.isArray(copy)) copy.length = (now as unknown as readonly unknown[]).length;
  return copy;
}

function copied(value: unknown): unknown {
  if (!isComposed(value)) return value;
  if (Array.isArray(value)) return value.map(copied);
  const copy: Record<string, unknown> = {};
  for (const name in value)
    if (value[name] !== undefined && !isUntold(name)) copy[name] = copied(value[name]);
  return copy;
}

/** A member of this name is none: writing it would change what the object is. */
const isUntold = (name: string): boolean => name === '__proto__';

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
