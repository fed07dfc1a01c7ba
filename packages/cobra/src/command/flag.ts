import type { FlagCompletion } from './completion.ts';

/**
 * Parses the text of one option into a value. Methods (not properties), so that tables of different value types can be
 * handled as one.
 */
export interface FlagKind<T> {
  /** pflag's name of the type, shown in usage texts. */
  readonly typeName: string;
  /**
   * @param previous the current value of the option; `changed` indicates whether the user has set it before
   * @throws Error with the reason; the caller adds the name of the option
   */
  read(text: string, previous: T, changed: boolean): T;
  /** The default as `--help` prints it. */
  show(value: T): string;
  /** The value of an option named without one; undefined if a value is required. */
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
  /** Overrides the name derived from the key (`dryRun` is `--dry-run`). */
  readonly name?: string;
  readonly hidden?: boolean;
  readonly required?: boolean;
  /** Hides the option, and warns when it is used. */
  readonly deprecated?: string;
  readonly shorthandDeprecated?: string;
  /** The default that help shows, if it differs from the actual one. */
  readonly shownDefault?: string;
  /** The heading under which help lists it (servers group their options this way). */
  readonly section?: string;
  readonly complete?: FlagCompletion;
}

export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

/** The values of a table of options, by key. */
export type FlagValues<F extends FlagTable> = {
  readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never;
};

/** The values without any arguments: `defaultsOf({ port: int({ default: 6443 }) })` is `{ port: 6443 }`. */
export const defaultsOf = <F extends FlagTable>(flags: F): FlagValues<F> =>
  Object.fromEntries(Object.entries(flags).map(([key, flag]) => [key, flag.default])) as FlagValues<F>;

/** `dryRun` → `dry-run`. A flag's own `name` takes precedence. */
export const flagName = (key: string, flag: Flag<unknown>): string =>
  flag.name ?? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** pflag's word separators: `_` and `-` are equivalent. */
export const normaliseFlagName = (name: string): string => name.replaceAll('_', '-');

/** Puts all options of a table under one heading of the help. */
export const section = <F extends FlagTable>(heading: string, flags: F): F =>
  Object.fromEntries(Object.entries(flags).map(([key, flag]) => [key, { ...flag, section: heading }])) as F;
