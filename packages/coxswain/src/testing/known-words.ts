/** What somebody misspelt, for those whose compiler does not tell them. */

/** @throws TypeError for what is no object, and for a member that there is none of, with those that there are */
export function checkWords(what: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`${what} takes an object with some of ${known.join(', ')}, not ${shown(given)}`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`${what} has no option "${unknown}": must be one of ${known.join(', ')}`);
}

/** The names of all members of a type: the compiler refuses a list that misses one. */
export const wordsOf = <T>(words: Readonly<Record<keyof T, true>>): readonly string[] => Object.keys(words);

/** As somebody may have written it. */
export const shown = (value: unknown): string => {
  if (typeof value === 'function') return 'a function';
  return value === undefined || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : JSON.stringify(value);
};
