import { fromByteString, byteStringOf } from '../key-bytes.ts';
import type { Entry } from '../storage.ts';
import type { KeyValue } from './messages.ts';
import type { Decoded } from './wire.ts';

const encoder = new TextEncoder();

/** Keys as etcd has them: UTF-8, with a prefix that the rest of the program doesn't see. */
export class KeySpace {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  bytes(key: string): Uint8Array {
    return encoder.encode(this.#prefix + key);
  }

  key(bytes: Uint8Array): string {
    return fromByteString(byteStringOf(bytes)).slice(this.#prefix.length);
  }

  entry({ key, value, createRevision, modRevision, version, lease }: Decoded<typeof KeyValue>): Entry {
    return {
      key: this.key(key),
      value,
      createRevision,
      modRevision,
      version,
      ...(lease === 0n ? undefined : { leaseId: lease }),
    };
  }
}
