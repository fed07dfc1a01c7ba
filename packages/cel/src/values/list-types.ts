/** Lists that a schema declares as sets or maps: equality ignores order, and `+` merges. */

import { equalValues } from './equal.ts';
import { CelError } from './error.ts';
import { ArrayList } from './list.ts';
import type { ListValue, Value } from './value.ts';
import { canonicalKey } from './map.ts';
import { qualify } from './qualify.ts';

export class SetList extends ArrayList {
  #index: Set<unknown> | undefined;

  override equalsLike(other: ListValue): boolean {
    return this.size === other.size && other.items().every((item) => this.#has(item));
  }

  override concatLike(other: ListValue): ListValue {
    const added: Value[] = [];
    const seen = new Set<unknown>();
    for (const item of other.items()) {
      const key = canonicalKey(item);
      if (this.#has(item) || (key !== undefined && seen.has(key))) continue;
      seen.add(key);
      added.push(item);
    }
    return new SetList([...this.items(), ...added]);
  }

  #has(item: Value): boolean {
    this.#index ??= new Set(this.items().map((member) => canonicalKey(member)));
    const key = canonicalKey(item);
    return key === undefined
      ? this.items().some((member) => equalValues(member, item))
      : this.#index.has(key);
  }
}

/** Elements are the same if their key fields are. */
export class KeyedList extends ArrayList {
  readonly #keys: readonly string[];

  constructor(items: readonly Value[], keys: readonly string[]) {
    super(items);
    this.#keys = keys;
  }

  override equalsLike(other: ListValue): boolean {
    if (this.size !== other.size) return false;
    const byKey = new Map(this.items().map((item) => [this.#keyOf(item), item]));
    return other.items().every((item) => {
      const found = byKey.get(this.#keyOf(item));
      return found !== undefined && equalValues(found, item);
    });
  }

  override concatLike(other: ListValue): ListValue {
    const merged = new Map<string | symbol, Value>();
    for (const item of [...this.items(), ...other.items()]) merged.set(this.#keyOf(item), item);
    return new KeyedList([...merged.values()], this.#keys);
  }

  #keyOf(item: Value): string {
    const parts = this.#keys.map((key) => {
      const value = qualify(item, key, true);
      const isKey = value !== undefined && !(value instanceof CelError) && canonicalKey(value) !== undefined;
      return isKey ? `${typeof value}:${String(canonicalKey(value))}` : '';
    });
    return JSON.stringify(parts);
  }
}
