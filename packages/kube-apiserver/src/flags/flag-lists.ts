/** Options by section and by whether they take a value, a list, or none: a short way to declare many. */
import { bool, string, stringSlice } from '@coxswain/cobra';
import type { Flag } from '@coxswain/cobra';

export type FlagLists = Readonly<
  Record<
    string,
    {
      readonly switches?: readonly string[];
      readonly values?: readonly string[];
      readonly lists?: readonly string[];
    }
  >
>;

export const flagsOf = (sections: FlagLists, usage: string): Readonly<Record<string, Flag<unknown>>> =>
  Object.fromEntries(
    Object.entries(sections).flatMap(([section, { switches = [], values = [], lists = [] }]) => [
      ...switches.map((name) => [name, bool({ name, usage, section })] as const),
      ...values.map((name) => [name, string({ name, usage, section })] as const),
      ...lists.map((name) => [name, stringSlice({ name, usage, section })] as const),
    ]),
  );

export const namesIn = (sections: FlagLists): readonly string[] =>
  Object.values(sections).flatMap(({ switches = [], values = [], lists = [] }) => [
    ...switches,
    ...values,
    ...lists,
  ]);
