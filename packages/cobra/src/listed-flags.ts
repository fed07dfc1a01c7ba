/**
 * Options that a program accepts for compatibility and either ignores or rejects, by heading of the help and by type,
 * so that their values are checked all the same.
 */
import {
  bool,
  duration,
  float,
  float32,
  int,
  int32Slice,
  ip,
  string,
  stringArray,
  stringSlice,
  stringToString,
} from './command/flag-kinds.ts';
import type { Flag } from './command/flag.ts';

const constructors = {
  bool,
  duration,
  float,
  float32,
  int,
  int32Slice,
  ip,
  string,
  stringArray,
  stringSlice,
  stringToString,
};

/**
 * By heading, "" for none, and by type: names separated by white space, with the default if there is one:
 * `request-timeout=1m0s`.
 */
export type ListedFlags = Readonly<
  Record<string, Readonly<Partial<Record<keyof typeof constructors, string>>>>
>;

/** The help text of options without an effect. */
export const ineffective = 'Accepted, without effect.';

/** The help text of all options in such a list. */
export function listedFlags(lists: ListedFlags, usage: string): Readonly<Record<string, Flag<unknown>>> {
  const flags: Record<string, Flag<unknown>> = {};
  for (const { section, type, name, text } of entriesOf(lists)) {
    const flag = constructors[type]({ name, usage, ...(section !== '' && { section }) }) as Flag<unknown>;
    const { kind, default: none } = flag;
    flags[name] = text === undefined ? flag : { ...flag, default: kind.read(text, none, false) };
  }
  return flags;
}

export const listedNames = (lists: ListedFlags): readonly string[] =>
  entriesOf(lists).map(({ name }) => name);

const entriesOf = (lists: ListedFlags) =>
  Object.entries(lists).flatMap(([section, types]) =>
    Object.entries(types).flatMap(([type, entries]) =>
      (entries.match(/\S+/g) ?? []).map((entry) => {
        const [name = '', text] = entry.split(/=(.*)/s);
        return { section, type: type as keyof typeof constructors, name, text };
      }),
    ),
  );
