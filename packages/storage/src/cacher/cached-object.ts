import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { StorageError, type Entry, type LeaseId, type Revision } from '../storage.ts';
import type { Fields, Labels, ObjectCodec } from './object-codec.ts';

/** Decides how long the decoded objects and further forms of a resource are kept. */
export interface FormKeeper<T> {
  readonly codec: ObjectCodec<T>;
  /** Whether any object of the resource was ever found damaged: seldom, and to look at all of a list takes long. */
  isAnyDamaged: boolean;
  keepDecoded(object: CachedObject<T>): void;
  keepForm(object: CachedObject<T>, name: string, form: unknown): void;
}

/**
 * One version of an object, with every form of it that somebody asked for. Immutable to its readers: forms
 * are made on first demand, shared by all readers, and forgotten again when the cache of derived forms needs the room.
 */
export class CachedObject<T> {
  readonly key: string;
  /** The resourceVersion. */
  readonly revision: Revision;
  readonly createRevision: Revision;
  readonly version: number;
  readonly leaseId: LeaseId | undefined;
  readonly #derivedForms: FormKeeper<T>;
  /** The stored bytes, and in their place the served ones once these were asked for. */
  #bytes: Uint8Array;
  #isServed = false;
  #damage: StorageError | undefined;
  /** What the writer handed over; `#object` once it has its resourceVersion. */
  #handedOver: unknown;
  #object: T | undefined;
  /** The decoded object, for as long as somebody else in the process holds it: informers hold whole resources. */
  #heldElsewhere: WeakRef<T & object> | undefined;
  #labels: Labels | undefined;
  #fields: Fields | undefined;
  #forms: Map<string, unknown> | undefined;

  constructor(entry: Entry, derivedForms: FormKeeper<T>) {
    this.key = entry.key;
    this.revision = entry.modRevision;
    this.createRevision = entry.createRevision;
    this.version = entry.version;
    this.leaseId = entry.leaseId;
    this.#derivedForms = derivedForms;
    if (entry.isDamaged) this.#damaged(entry, 'the checksum of the stored value is wrong');
    this.#bytes = entry.value;
    if (entry.decoded !== undefined) {
      this.#handedOver = entry.decoded;
      derivedForms.keepDecoded(this);
    }
  }

  /** Of what is stored, reading which fails; undefined: nothing is wrong, as far as anybody has read it. */
  get damage(): StorageError | undefined {
    return this.#damage;
  }

  /** Whether it, or another object of its resource, was ever found damaged. */
  get isAnyDamaged(): boolean {
    return this.#derivedForms.isAnyDamaged;
  }

  /** Whether the object can be decoded, which is tried where nobody has yet. */
  get isReadable(): boolean {
    try {
      return this.object !== undefined;
    } catch (failure) {
      if (failure === this.#damage) return false;
      throw failure;
    }
  }

  /** JSON as clients get it, resourceVersion included. @throws StorageError 'corrupt' */
  get served(): Uint8Array {
    if (this.#damage !== undefined) throw this.#damage;
    if (!this.#isServed) {
      this.#bytes = this.#reading((codec, entry) => codec.served(entry));
      this.#isServed = true;
    }
    return this.#bytes;
  }

  /** The value as it was stored, where nobody has asked for the served one yet. */
  get stored(): Uint8Array | undefined {
    return this.#isServed ? undefined : this.#bytes;
  }

  /** Of the JSON that is kept. */
  get bytesKept(): number {
    return this.#bytes.length;
  }

  /** Must not be modified. @throws StorageError 'corrupt' */
  get object(): T {
    if (this.#damage !== undefined) throw this.#damage;
    if (this.#object === undefined) {
      const held = this.#heldElsewhere?.deref();
      if (held !== undefined) return held;
      const kept = this.#handedOver !== undefined;
      this.#object = this.#reading((codec, entry) => codec.decode(entry));
      this.#handedOver = undefined;
      if (!kept) this.#derivedForms.keepDecoded(this);
    }
    return this.#object;
  }

  get labels(): Labels {
    return (this.#labels ??= this.#derivedForms.codec.labels(this.object));
  }

  get fields(): Fields {
    return (this.#fields ??= this.#derivedForms.codec.fields(this.object));
  }

  /**
   * A further form of the object: its protobuf bytes, a table row, an older version. `make` is called when
   * the form isn't there (any more). `name` must determine the form.
   */
  form<F>(name: string, make: (object: CachedObject<T>) => F): F {
    const made = this.#forms?.get(name);
    if (made !== undefined) return made as F;
    const form = make(this);
    (this.#forms ??= new Map()).set(name, form);
    this.#derivedForms.keepForm(this, name, form);
    return form;
  }

  /** As `expected` in an update, and for the codec. `value` is in the stored or in the served form. */
  get entry(): Entry {
    return {
      key: this.key,
      value: this.#bytes,
      createRevision: this.createRevision,
      modRevision: this.revision,
      version: this.version,
      leaseId: this.leaseId,
      decoded: this.#object ?? this.#handedOver,
      ...(this.#damage && { isDamaged: true }),
    };
  }

  /** For the cache of derived forms. Labels and fields that selectors have asked for stay: they ask again and again. */
  forgetDecoded(): void {
    if (this.#object !== undefined) this.#heldElsewhere = new WeakRef(this.#object as T & object);
    this.#object = undefined;
    this.#handedOver = undefined;
  }

  forgetForm(name: string): void {
    this.#forms?.delete(name);
  }

  #damaged(entry: Entry, problem: string): StorageError {
    this.#derivedForms.isAnyDamaged = true;
    return (this.#damage = corruptObject(entry, problem));
  }

  /** Whoever writes to the store beside this server may have stored anything. */
  #reading<F>(read: (codec: ObjectCodec<T>, entry: Entry) => F): F {
    const { entry } = this;
    try {
      return read(this.#derivedForms.codec, entry);
    } catch (failure) {
      throw this.#damaged(entry, messageOf(failure));
    }
  }
}

/** In the words of the original for what it cannot decode. */
const corruptObject = ({ key, modRevision }: Entry, problem: string): StorageError =>
  new StorageError(
    'corrupt',
    `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=${modRevision}: ${problem}`,
  );
