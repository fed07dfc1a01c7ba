/** Options that require or exclude one another, and required options, with cobra's messages. */
import { goQuote } from '../go-quote.ts';
import type { FlagSet, FlagState } from './flag-set.ts';

export interface FlagGroups<Key extends string> {
  readonly requiredTogether?: readonly (readonly Key[])[];
  readonly oneRequired?: readonly (readonly Key[])[];
  readonly mutuallyExclusive?: readonly (readonly Key[])[];
}

export function checkRequiredFlags(flags: FlagSet): void {
  const missing = flags.all().filter(({ flag, changed }) => flag.required === true && !changed);
  if (missing.length === 0) return;
  throw new Error(`required flag(s) ${missing.map(({ name }) => goQuote(name)).join(', ')} not set`);
}

export function checkFlagGroups(flags: FlagSet, groups: FlagGroups<string> = {}): void {
  for (const group of statesOf(groups.requiredTogether, flags)) {
    const unset = group.filter(({ changed }) => !changed);
    if (unset.length === 0 || unset.length === group.length) continue;
    throw new Error(
      `if any flags in the group [${names(group)}] are set they must all be set; missing [${names(unset)}]`,
    );
  }
  for (const group of statesOf(groups.oneRequired, flags)) {
    if (group.some(({ changed }) => changed)) continue;
    throw new Error(`at least one of the flags in the group [${names(group)}] is required`);
  }
  for (const group of statesOf(groups.mutuallyExclusive, flags)) {
    const set = group.filter(({ changed }) => changed).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (set.length < 2) continue;
    throw new Error(
      `if any flags in the group [${names(group)}] are set none of the others can be; [${names(set)}] were all set`,
    );
  }
}

const names = (states: readonly FlagState[]): string => states.map(({ name }) => name).join(' ');

function statesOf(groups: readonly (readonly string[])[] | undefined, flags: FlagSet): FlagState[][] {
  if (groups === undefined) return [];
  const byKey = new Map(flags.declared().map((state) => [state.key, state]));
  return groups.map((keys) => keys.flatMap((key) => byKey.get(key) ?? []));
}
