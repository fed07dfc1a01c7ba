/**
 * A map by the names of CustomResourceDefinitions (`widgets.example.com`), which finds those of one group without a
 * scan.
 */
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

  /** Returns whether it existed. */
  delete(name: string): boolean {
    const things = this.#groups.get(groupOf(name));
    const wasThere = things?.delete(name) ?? false;
    if (things?.size === 0) this.#groups.delete(groupOf(name));
    return wasThere;
  }

  /** In insertion order. */
  inGroup(group: string): ReadonlyMap<string, Thing> {
    return this.#groups.get(group) ?? nothing;
  }

  *values(): Generator<Thing, void, void> {
    for (const things of this.#groups.values()) yield* things.values();
  }
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>();

/** A plural name contains no dot. */
const groupOf = (name: string): string => name.slice(name.indexOf('.') + 1);
