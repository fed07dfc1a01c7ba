import type { FlagCompletion } from './completion.ts';

/**
 * How the text of one option becomes a value. Methods (not properties), so that tables of different
 * value types can be handled as one.
 */
export interface FlagKind<T> {
  /** pflag's name of the type, shown in usage texts. */
  readonly typeName: string;
  /**
   * @param previous what the option holds so far; `changed` tells whether the user has set it before
   * @throws Error with the reason; the option's name is added by the caller
   */
  read(text: string, previous: T, changed: boolean): T;
  /** The default as `--help` prints it. */
  show(value: T): string;
  /** The value of an option named without one; none when a value is required. */
  readonly bareValue?: string;
}

/** One command line option. */
export interface Flag<T> {
  readonly kind: FlagKind<T>;
  readonly default: T;
  readonly usage: string;
  readonly shorthand?: string;
  /** The value when the option is named without `=value` (pflag's NoOptDefVal). */
  readonly bareValue?: string;
  /** Overrides the name that is made of the key (`dryRun` is `--dry-run`). */
  readonly name?: string;
  readonly hidden?: boolean;
  readonly required?: boolean;
  /** Hides the option, and warns when it is used. */
  readonly deprecated?: string;
  readonly shorthandDeprecated?: string;
  /** The default as help shows it, where that differs from the real one. */
  readonly shownDefault?: string;
  /** Heading under which help lists it (servers group their options so). */
  readonly section?: string;
  readonly complete?: FlagCompletion;
}

export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

/** The values of a table of options, by key. */
export type FlagValues<F extends FlagTable> = {
  readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never;
};

/** `dryRun` → `dry-run`. A flag's own `name` wins. */
export const flagName = (key: string, flag: Flag<unknown>): string =>
  flag.name ?? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** pflag word separators: `_` and `-` are the same. */
export const normaliseFlagName = (name: string): string => name.replaceAll('_', '-');

/** Puts all options of a table under one heading of the help. */
export const section = <F extends FlagTable>(heading: string, flags: F): F =>
  Object.fromEntries(Object.entries(flags).map(([key, flag]) => [key, { ...flag, section: heading }])) as F;
