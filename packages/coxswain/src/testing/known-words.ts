/** Detects misspelt names, for callers without a type checker. */

/** @throws TypeError for a value that is not an object, and for an unknown field, listing the known ones */
export function checkWords(what: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`${what} takes an object with some of ${known.join(', ')}, not ${shown(given)}`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`${what} has no option "${unknown}": must be one of ${known.join(', ')}`);
}

/** Lists the names of all fields of a type: the compiler refuses an incomplete list. */
export const wordsOf = <T>(words: Readonly<Record<keyof T, true>>): readonly string[] => Object.keys(words);

/** Shows a value as it would appear in code. */
export const shown = (value: unknown): string => {
  if (typeof value === 'function') return 'a function';
  return value === undefined || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : JSON.stringify(value);
};
