/** What belongs to definitions, by their names (`widgets.example.com`): found by group without a look at all others. */
export class ByGroup<Thing> {
  readonly #groups = new Map<string, Map<string, Thing>>();

  get(name: string): Thing | undefined {
    return this.#groups.get(groupOf(name))?.get(name);
  }

  set(name: string, thing: Thing): void {
    const group = groupOf(name);
    const things = this.#groups.get(group);
    if (things === undefined) this.#groups.set(group, new Map([[name, thing]]));
    else things.set(name, thing);
  }

  /** Whether it was there. */
  delete(name: string): boolean {
    const things = this.#groups.get(groupOf(name));
    const wasThere = things?.delete(name) ?? false;
    if (things?.size === 0) this.#groups.delete(groupOf(name));
    return wasThere;
  }

  /** In the order in which they came. */
  inGroup(group: string): ReadonlyMap<string, Thing> {
    return this.#groups.get(group) ?? nothing;
  }

  *values(): Generator<Thing, void, void> {
    for (const things of this.#groups.values()) yield* things.values();
  }
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>();

/** A plural name has no dot. */
const groupOf = (name: string): string => name.slice(name.indexOf('.') + 1);
