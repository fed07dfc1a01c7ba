import { flagName, normaliseFlagName, type Flag, type FlagTable } from './flag.ts';

/** One option of one command, with its value on the command line. */
export interface FlagState {
  readonly key: string;
  readonly name: string;
  readonly flag: Flag<unknown>;
  /** Where it is declared: by the command itself, among its own persistent options, or by a parent. */
  readonly origin: 'local' | 'persistent' | 'inherited';
  value: unknown;
  changed: boolean;
}

/** All options of one command, its own and the inherited ones, by name and by letter. */
export class FlagSet {
  readonly #byName = new Map<string, FlagState>();
  readonly #byShorthand = new Map<string, FlagState>();

  /** Adds a table. An option whose name exists already is skipped, since the nearer one wins. */
  add(table: FlagTable, origin: FlagState['origin']): this {
    for (const [key, flag] of Object.entries(table)) {
      const name = flagName(key, flag);
      if (this.#byName.has(name)) continue;
      const state: FlagState = { key, name, flag, origin, value: flag.default, changed: false };
      this.#byName.set(name, state);
      if (flag.shorthand !== undefined && !this.#byShorthand.has(flag.shorthand)) {
        this.#byShorthand.set(flag.shorthand, state);
      }
    }
    return this;
  }

  lookup(name: string): FlagState | undefined {
    return this.#byName.get(name) ?? this.#byName.get(normaliseFlagName(name));
  }

  byShorthand(letter: string): FlagState | undefined {
    return this.#byShorthand.get(letter);
  }

  /** Sorted by name, as help prints them. */
  all(): FlagState[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** In the order of their declaration. */
  declared(): FlagState[] {
    return [...this.#byName.values()];
  }

  values(): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const state of this.#byName.values()) values[state.key] ??= state.value;
    return values;
  }

  changed(key: string): boolean {
    for (const state of this.#byName.values()) if (state.key === key && state.changed) return true;
    return false;
  }
}

/** The value of an option that is named without one. */
export const bareValue = (flag: Flag<unknown>): string | undefined => flag.bareValue ?? flag.kind.bareValue;

export const shownDefault = (flag: Flag<unknown>): string =>
  flag.shownDefault ?? flag.kind.show(flag.default);
