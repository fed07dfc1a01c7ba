/**
 * Lists and maps that a client sent empty where an absent one is written `null`. Stored objects do not tell
 * the two apart, and neither do answers, but whoever sent the empty one owns the field.
 */

export interface Emptied {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly sent: 'list' | 'map';
}

const emptiedOf = new WeakMap<object, readonly Emptied[]>();

/** Of a decoded object, for as long as it lives. */
export function rememberEmptied(object: object, emptied: readonly Emptied[]): void {
  emptiedOf.set(object, emptied);
}

/** Runs `look` while the object holds its lists and maps as they were sent; those filled since stay. */
export function withEmptied<T>(object: object, look: () => T): T {
  const absent = (emptiedOf.get(object) ?? []).filter(({ holder, name }) => holder[name] === null);
  for (const { holder, name, sent } of absent) holder[name] = sent === 'list' ? [] : {};
  try {
    return look();
  } finally {
    for (const { holder, name } of absent) holder[name] = null;
  }
}
