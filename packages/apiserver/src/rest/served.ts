/**
 * What reads hand out: stored bytes where there are some, decoded objects on demand. The cache's own
 * `CachedObject`, `ObjectEvent` and `Watcher` have these shapes, so nothing is wrapped on the way.
 */
import type { KubeObject, Status } from '@coxswain/apimachinery';

/** One object. Shared and immutable, in all its forms. */
export interface Served {
  /** Decoded, resourceVersion included; may be made on first use. */
  readonly object: KubeObject;
  /** The same as JSON in the storage kind's version. Absent where the answer is not a stored object. */
  readonly served?: Uint8Array | undefined;
  /** Another form of it (protobuf, another version, a table row), kept beside it. `name` determines the form. */
  form?<F>(name: string, make: (object: this) => F): F;
}

export interface ServedList {
  readonly resourceVersion: string;
  readonly items: readonly Served[];
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
}

export type ServedEvent = ServedObjectEvent | ServedBookmark | ServedError;

export interface ServedObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Served;
  /** `{"type":…,"object":…}` and a newline, shared by all watchers. Absent where {@link Served.served} is. */
  readonly frame?: Uint8Array | undefined;
  /** Adds the parts of `frame`, without copying: for events that few watchers share. */
  appendTo?(parts: Uint8Array[]): void;
  form?<F>(name: string, make: (event: this) => F): F;
}

export interface ServedBookmark {
  readonly type: 'BOOKMARK';
  readonly revision: number;
  readonly initialEventsEnd: boolean;
}

export interface ServedError {
  readonly type: 'ERROR';
  readonly status: Status;
}

export interface ServedWatch {
  /** What became ready since the last call, as soon as something has; undefined when the watch is over. */
  next(): Promise<readonly ServedEvent[] | undefined>;
  /** Why it is over: anything but 'stopped' tells the client to list again. */
  readonly ended: string | undefined;
  stop(): void;
  /** Sends a bookmark of what is newest, where the client asked for bookmarks. */
  tellProgress?(): void;
}

export const servedObject = (object: KubeObject): Served => ({ object });
