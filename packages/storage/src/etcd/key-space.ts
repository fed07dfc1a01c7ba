import { fromByteString, byteStringOf } from '../key-bytes.ts';
import type { Entry } from '../storage.ts';
import type { KeyValue } from './messages.ts';
import type { Decoded } from '@coxswain/protobuf';

const encoder = new TextEncoder();

/** Keys as etcd has them: UTF-8, below a prefix that is invisible to the rest of the program. */
export class KeySpace {
  readonly #inner: string;
  readonly outer: string;

  /** Keys that begin with `inner` begin with `outer` in etcd. */
  constructor({ inner, outer }: { readonly inner: string; readonly outer: string }) {
    this.#inner = inner;
    this.outer = outer;
  }

  /** As it is in etcd. */
  stored(key: string): string {
    return key.startsWith(this.#inner) ? this.outer + key.slice(this.#inner.length) : key;
  }

  bytes(key: string): Uint8Array {
    return encoder.encode(this.stored(key));
  }

  key(bytes: Uint8Array): string {
    const key = fromByteString(byteStringOf(bytes));
    return key.startsWith(this.outer) ? this.#inner + key.slice(this.outer.length) : key;
  }

  entry({ key, value, createRevision, modRevision, version, lease }: Decoded<typeof KeyValue>): Entry {
    return {
      key: this.key(key),
      // A copy, since the cache would otherwise retain the whole message.
      value: new Uint8Array(value),
      createRevision,
      modRevision,
      version,
      ...(lease === 0n ? undefined : { leaseId: lease }),
    };
  }
}
