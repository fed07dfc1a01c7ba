/** What reads hand out: stored bytes where there are some, decoded objects on demand. */
import type { KubeObject, WatchEventType } from '@coxswain/apimachinery';

/** One object. Shared and immutable, both forms. */
export interface Served {
  /** Decoded; may be made on first use. */
  readonly object: KubeObject;
  /** The same as JSON, resourceVersion included. Absent where the answer is not a stored object. */
  readonly json?: Uint8Array | undefined;
}

export interface ServedList {
  readonly resourceVersion: string;
  readonly items: readonly Served[];
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface ServedEvent {
  readonly type: WatchEventType;
  /** The object of the event; for a bookmark only its kind and metadata, for an error a Status. */
  readonly object: KubeObject;
  /** The object as JSON, as in {@link Served}. */
  readonly json?: Uint8Array | undefined;
  /**
   * The object that several watchers' events share, when they do: encoded forms are kept beside it, so
   * that a thousand watchers cost one encoding. Events with the same `shared` and `type` are the same.
   */
  readonly shared?: object | undefined;
}

/** A watch that pushes: no promise per event, and the receiver says when it is too slow. */
export interface ServedWatch {
  /**
   * Starts delivery: what is there already at once, the rest in the turn in which it happens. `end` is
   * called once, with a failure when the client must list again.
   */
  start(receiver: WatchReceiver): void;
  stop(): void;
}

export interface WatchReceiver {
  events(batch: readonly ServedEvent[]): void;
  end(failure?: unknown): void;
}

export const servedObject = (object: KubeObject): Served => ({ object });
