import type { CachedObject } from './cached-object.ts';
import type { TraitReader } from './narrowing.ts';

/** An index of objects by the value of one trait (pods by `spec.nodeName`, or by the label `app`). */
export class TraitIndex<T> {
  readonly #read: TraitReader;
  readonly #objects = new Map<string, Map<string, CachedObject<T>>>();
  /** Unreadable objects might belong to any selection, so every one includes them. */
  readonly #unreadable = new Map<string, CachedObject<T>>();

  constructor(read: TraitReader) {
    this.#read = read;
  }

  count(value: string): number {
    return this.#objects.get(value)?.size ?? 0;
  }

  /** In ascending order of keys. */
  with(value: string): CachedObject<T>[] {
    const objects = [...(this.#objects.get(value)?.values() ?? []), ...this.#unreadable.values()];
    return objects.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  replace(before: CachedObject<T> | undefined, after: CachedObject<T> | undefined): void {
    const valueBefore = before && this.#read(before);
    const valueAfter = after && this.#read(after);
    if (valueBefore !== undefined && valueBefore !== valueAfter) this.#remove(valueBefore, before!.key);
    if (before !== undefined) this.#unreadable.delete(before.key);
    if (after?.isReadable === false) this.#unreadable.set(after.key, after);
    if (valueAfter === undefined) return;
    const bucket = this.#objects.get(valueAfter) ?? new Map<string, CachedObject<T>>();
    this.#objects.set(valueAfter, bucket.set(after!.key, after!));
  }

  #remove(value: string, key: string): void {
    const bucket = this.#objects.get(value);
    bucket?.delete(key);
    if (bucket?.size === 0) this.#objects.delete(value);
  }
}
