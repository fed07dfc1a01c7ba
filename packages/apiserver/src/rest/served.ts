/**
 * What reads return: stored bytes if available, and decoded objects on demand. The cache's own `CachedObject`,
 * `ObjectEvent` and `Watcher` have these shapes, so nothing needs to be wrapped.
 */
import type { KubeObject, Status } from '@coxswain/apimachinery';

/** One object in all its forms; shared and immutable. */
export interface Served {
  /** Decoded, including resourceVersion; may be created on first use. */
  readonly object: KubeObject;
  /** The same as JSON in the storage kind's version. Absent if it is not a stored object. */
  readonly served?: Uint8Array | undefined;
  /** Another form (protobuf, another version, a table row), cached beside the object. `name` identifies the form. */
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
  /** Appends the parts of `frame` without copying, for events that few watchers share. */
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
  /** Resolves with all events since the last call as soon as there is one; undefined when the watch has ended. */
  next(): Promise<readonly ServedEvent[] | undefined>;
  /** The reason that it ended; any but 'stopped' tells the client to list again. */
  readonly ended: string | undefined;
  stop(): void;
  /** Sends a bookmark with the newest revision, if the client requested bookmarks. */
  reportProgress?(): void;
}

export const servedObject = (object: KubeObject): Served => ({ object });
