import { flagName, normaliseFlagName, type Flag, type FlagTable } from './flag.ts';

/** One option as one command sees it, with what the command line said so far. */
export interface FlagState {
  readonly key: string;
  readonly name: string;
  readonly flag: Flag<unknown>;
  /** Where it comes from: the command itself, its own persistent options, or a parent's. */
  readonly origin: 'local' | 'persistent' | 'inherited';
  value: unknown;
  changed: boolean;
}

/** All options of one command, its own and those inherited, findable by name and by letter. */
export class FlagSet {
  readonly #byName = new Map<string, FlagState>();
  readonly #byShorthand = new Map<string, FlagState>();

  /** Adds a table; an option whose name is there already is left out (the nearer one wins). */
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

  /** In the order in which they were declared. */
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

/** The value that an option takes when it is named without one. */
export const bareValue = (flag: Flag<unknown>): string | undefined => flag.bareValue ?? flag.kind.bareValue;

export const shownDefault = (flag: Flag<unknown>): string =>
  flag.shownDefault ?? flag.kind.show(flag.default);
