/**
 * Options that a program takes for the sake of others' command lines, without an effect or to refuse them: by
 * heading of the help and by type, so that what they are given is checked all the same.
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

/** By heading, "" for none. Each option with its default where it has one: `request-timeout=1m0s`. */
export type ListedFlags = Readonly<
  Record<string, Readonly<Partial<Record<keyof typeof constructors, readonly string[]>>>>
>;

/** What options without an effect say of themselves in the help. */
export const ineffective = 'Accepted, without effect.';

/** The options of lists, all with one text in the help. */
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
      entries.map((entry) => {
        const [name = '', text] = entry.split(/=(.*)/s);
        return { section, type: type as keyof typeof constructors, name, text };
      }),
    ),
  );
