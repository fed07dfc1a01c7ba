/**
 * Lists and maps that a client sent empty and that are decoded as absent. Neither stored objects nor responses
 * distinguish the two. But a client that sent an empty one where an absent one is written as `null` owns the field, and
 * messages show what was sent.
 */

export interface Emptied {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly sent: 'list' | 'map';
}

const emptiedOf = new WeakMap<object, readonly Emptied[]>();
const emptyMembersOf = new WeakMap<object, Set<string>>();

/** By decoded object, for as long as it lives. */
export function rememberEmptied(object: object, emptied: readonly Emptied[]): void {
  emptiedOf.set(object, emptied);
  for (const { holder, name } of emptied) noteEmpty(holder, name);
}

/** Records for a member what decoding otherwise detects: that it is an empty list or map rather than absent. */
export function noteEmpty(holder: object, name: string): void {
  const names = emptyMembersOf.get(holder);
  if (names === undefined) emptyMembersOf.set(holder, new Set([name]));
  else names.add(name);
}

/** A stored object no longer knows what was sent empty. */
export function forgetEmptied(object: object): void {
  for (const { holder } of emptiedOf.get(object) ?? []) emptyMembersOf.delete(holder);
  emptiedOf.delete(object);
}

/** Whether a decoded struct's list or map, now absent, was sent empty. */
export const wasSentEmpty = (holder: object | null | undefined, name: string): boolean =>
  holder != null && emptyMembersOf.get(holder)?.has(name) === true;

/** A copy of a decoded struct with the same knowledge, except for members from elsewhere. */
export function withEmptiedOf<T extends object>(
  original: object,
  copy: T,
  others: readonly (keyof T & string)[] = [],
): T {
  const names = emptyMembersOf.get(original);
  if (names !== undefined)
    emptyMembersOf.set(
      copy,
      new Set([...names].filter((name) => !(others as readonly string[]).includes(name))),
    );
  return copy;
}

/** Runs `look` while the object has its lists and maps as they were sent; those filled since then are kept. */
export function withEmptied<T>(object: object, look: () => T): T {
  const absent = (emptiedOf.get(object) ?? []).filter(({ holder, name }) => holder[name] === null);
  for (const { holder, name, sent } of absent) holder[name] = sent === 'list' ? [] : {};
  try {
    return look();
  } finally {
    for (const { holder, name } of absent) holder[name] = null;
  }
}
