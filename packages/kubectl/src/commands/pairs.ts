/** Parses arguments like `pod web KEY=VALUE KEY-`: objects, values to set, and keys to remove. */

export interface ResourcesAndPairs {
  readonly resources: readonly string[];
  readonly pairs: readonly string[];
}

const isChange = (word: string): boolean =>
  (word.includes('=') && !word.startsWith('=')) || (word.endsWith('-') && word !== '-');

/** @throws Error if a resource follows a change */
export function splitPairs(args: readonly string[], what: string): ResourcesAndPairs {
  const first = args.findIndex(isChange);
  if (first < 0) return { resources: args, pairs: [] };
  const pairs = args.slice(first);
  const stray = pairs.find((word) => !isChange(word));
  if (stray !== undefined)
    throw new Error(`all resources must be specified before ${what} changes: ${stray}`);
  return { resources: args.slice(0, first), pairs };
}

export interface Changes {
  readonly set: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}
