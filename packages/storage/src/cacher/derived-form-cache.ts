import type { CachedObject, FormKeeper } from './cached-object.ts';
import type { ObjectCodec } from './object-codec.ts';

export interface DerivedFormBounds {
  /** The maximum number of decoded objects of one resource. A decoded pod takes some 10 KB. */
  readonly decodedMax: number;
  /** The maximum bytes of further forms (protobuf, table rows, …) of one resource. */
  readonly formBytesMax: number;
}

export const derivedFormBounds: DerivedFormBounds = { decodedMax: 1024, formBytesMax: 64 * 1024 * 1024 };

/** The assumed size of a form that is neither bytes nor text. */
const formBytesGuess = 512;

interface KeptForm<T> {
  readonly object: CachedObject<T>;
  readonly name: string;
  readonly bytes: number;
}

/**
 * For objects that only their reader holds: their forms go with them. The cache would keep such an object until as many
 * others have come, and evict one that is read again.
 */
class UnlimitedForms<T> implements FormKeeper<T> {
  readonly #cache: FormKeeper<T>;

  constructor(cache: FormKeeper<T>) {
    this.#cache = cache;
  }

  get codec(): ObjectCodec<T> {
    return this.#cache.codec;
  }

  get isAnyDamaged(): boolean {
    return this.#cache.isAnyDamaged;
  }

  set isAnyDamaged(isAny: boolean) {
    this.#cache.isAnyDamaged = isAny;
  }

  keepDecoded(): void {}

  keepForm(): void {}
}

/** Limits the derived forms of one resource's objects: the oldest are evicted. */
export class DerivedFormCache<T> implements FormKeeper<T> {
  readonly codec: ObjectCodec<T>;
  /** For single objects that are not in the cache. */
  readonly ofOthers: FormKeeper<T> = new UnlimitedForms<T>(this);
  isAnyDamaged = false;
  readonly #bounds: DerivedFormBounds;
  readonly #decoded: (CachedObject<T> | undefined)[] = [];
  #nextDecoded = 0;
  #forms: Set<KeptForm<T>> | undefined;
  #formBytes = 0;

  constructor(codec: ObjectCodec<T>, bounds: DerivedFormBounds = derivedFormBounds) {
    this.codec = codec;
    this.#bounds = bounds;
  }

  keepDecoded(object: CachedObject<T>): void {
    const oldest = this.#decoded[this.#nextDecoded];
    this.#decoded[this.#nextDecoded] = object;
    this.#nextDecoded = (this.#nextDecoded + 1) % this.#bounds.decodedMax;
    oldest?.forgetDecoded();
  }

  keepForm(object: CachedObject<T>, name: string, form: unknown): void {
    const bytes = weigh(form);
    const forms = (this.#forms ??= new Set<KeptForm<T>>());
    forms.add({ object, name, bytes });
    this.#formBytes += bytes;
    for (const kept of forms) {
      if (this.#formBytes <= this.#bounds.formBytesMax) break;
      forms.delete(kept);
      this.#formBytes -= kept.bytes;
      kept.object.forgetForm(kept.name);
    }
  }

  /** Evicts forms of all other objects at once, since nobody will ask for them. */
  keepOnly(lasts: (object: CachedObject<T>) => boolean): void {
    const oldestFirst = [
      ...this.#decoded.slice(this.#nextDecoded),
      ...this.#decoded.slice(0, this.#nextDecoded),
    ].filter((object) => object !== undefined && lasts(object));
    this.#decoded.splice(0, Infinity, ...oldestFirst);
    this.#nextDecoded = oldestFirst.length % this.#bounds.decodedMax;
    for (const kept of this.#forms ?? []) {
      if (lasts(kept.object)) continue;
      this.#forms!.delete(kept);
      this.#formBytes -= kept.bytes;
    }
  }
}

function weigh(form: unknown): number {
  if (typeof form === 'object' && form !== null && 'byteLength' in form) return form.byteLength as number;
  return typeof form === 'string' ? form.length : formBytesGuess;
}
