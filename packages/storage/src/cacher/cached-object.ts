import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { StorageError, type Entry, type LeaseId, type Revision } from '../storage.ts';
import type { Fields, Labels, ObjectCodec } from './object-codec.ts';

/** Limits how long a resource's decoded objects and derived forms are kept. */
export interface FormKeeper<T> {
  readonly codec: ObjectCodec<T>;
  /**
   * Whether any object of the resource was ever found damaged; checked first, since that is rare and checking a whole
   * list is slow.
   */
  isAnyDamaged: boolean;
  keepDecoded(object: CachedObject<T>): void;
  keepForm(object: CachedObject<T>, name: string, form: unknown): void;
}

/**
 * One version of an object with every derived form that was requested. Immutable to its readers: forms are made on
 * demand, shared by all readers, and dropped when the cache of derived forms needs room.
 */
export class CachedObject<T> {
  readonly key: string;
  /** The resourceVersion. */
  readonly revision: Revision;
  readonly createRevision: Revision;
  readonly version: number;
  readonly leaseId: LeaseId | undefined;
  readonly #derivedForms: FormKeeper<T>;
  /** The stored bytes, replaced by the served ones once these were requested. */
  #bytes: Uint8Array;
  #isServed = false;
  #damage: StorageError | undefined;
  /** The object from the writer; moved to `#object` once it has its resourceVersion. */
  #handedOver: unknown;
  #object: T | undefined;
  /** The decoded object while others in the process hold it: informers hold whole resources. */
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

  /** The error of decoding the stored value; undefined if it was decoded or not read yet. */
  get damage(): StorageError | undefined {
    return this.#damage;
  }

  /** Whether any object of its resource was ever found damaged. */
  get isAnyDamaged(): boolean {
    return this.#derivedForms.isAnyDamaged;
  }

  /** Whether the object can be decoded; decodes it if necessary. */
  get isReadable(): boolean {
    try {
      return this.object !== undefined;
    } catch (failure) {
      if (failure === this.#damage) return false;
      throw failure;
    }
  }

  /** The JSON for clients, including resourceVersion. @throws StorageError 'corrupt' */
  get served(): Uint8Array {
    if (this.#damage !== undefined) throw this.#damage;
    if (!this.#isServed) {
      this.#bytes = this.#reading((codec, entry) => codec.served(entry));
      this.#isServed = true;
    }
    return this.#bytes;
  }

  /** The stored value, unless the served one has replaced it. */
  get stored(): Uint8Array | undefined {
    return this.#isServed ? undefined : this.#bytes;
  }

  /** The size of the retained JSON. */
  get bytesKept(): number {
    return this.#bytes.length;
  }

  /** The decoded object, which must not be modified. @throws StorageError 'corrupt' */
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
   * Another form of the object: its protobuf bytes, a table row, an older version. `make` is called if the form isn't
   * cached (any more). `name` must identify the form.
   */
  form<F>(name: string, make: (object: CachedObject<T>) => F): F {
    const made = this.#forms?.get(name);
    if (made !== undefined) return made as F;
    const form = make(this);
    (this.#forms ??= new Map()).set(name, form);
    this.#derivedForms.keepForm(this, name, form);
    return form;
  }

  /** The entry for `expected` in an update, and for the codec. `value` is in the stored or in the served form. */
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

  /** Called by the cache of derived forms. Labels and fields that selectors use are kept, since they are used again. */
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

  /** Other writers to the store may have stored anything. */
  #reading<F>(read: (codec: ObjectCodec<T>, entry: Entry) => F): F {
    const { entry } = this;
    try {
      return read(this.#derivedForms.codec, entry);
    } catch (failure) {
      throw this.#damaged(entry, messageOf(failure));
    }
  }
}

/** Upstream's message for an object that cannot be decoded. */
const corruptObject = ({ key, modRevision }: Entry, problem: string): StorageError =>
  new StorageError(
    'corrupt',
    `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=${modRevision}: ${problem}`,
  );
