import type { Revision } from '../storage.ts';
import type { CachedObject } from './cached-object.ts';

export type WatchEvent<T> = ObjectEvent<T> | Bookmark;

/** Everything up to `revision` has been delivered. */
export interface Bookmark {
  readonly type: 'BOOKMARK';
  readonly revision: Revision;
  /** Set on the bookmark that follows the initial events. */
  readonly initialEventsEnd: boolean;
}

const encoder = new TextEncoder();
const heads = {
  ADDED: encoder.encode('{"type":"ADDED","object":'),
  MODIFIED: encoder.encode('{"type":"MODIFIED","object":'),
  DELETED: encoder.encode('{"type":"DELETED","object":'),
};
const tail = encoder.encode('}\n');

/** An event for watchers. One value serves all of them and is encoded at most once per form. */
export class ObjectEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: CachedObject<T>;
  #frame: Uint8Array | undefined;
  #forms: Map<string, unknown> | undefined;

  constructor(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: CachedObject<T>) {
    this.type = type;
    this.object = object;
  }

  get revision(): Revision {
    return this.object.revision;
  }

  /** `{"type":"ADDED","object":…}` and a newline. */
  get frame(): Uint8Array {
    if (this.#frame === undefined) {
      const head = heads[this.type];
      const { served } = this.object;
      const frame = new Uint8Array(head.length + served.length + tail.length);
      frame.set(head);
      frame.set(served, head.length);
      frame.set(tail, head.length + served.length);
      this.#frame = frame;
    }
    return this.#frame;
  }

  /** Appends the parts of {@link frame} to `parts` without copying, for an event that few readers share. */
  appendTo(parts: Uint8Array[]): void {
    if (this.#frame !== undefined) parts.push(this.#frame);
    else parts.push(heads[this.type], this.object.served, tail);
  }

  /** The event in another form (protobuf, table, another version), made once. `name` identifies the form. */
  form<F>(name: string, make: (event: ObjectEvent<T>) => F): F {
    const made = this.#forms?.get(name);
    if (made !== undefined) return made as F;
    const form = make(this);
    (this.#forms ??= new Map()).set(name, form);
    return form;
  }
}
