/** The messages between a thread and the store of another one. */
import type { GroupResource } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  StorageError,
  type Entry,
  type EventBatch,
  type KeyRange,
  type ListOptions,
  type Page,
  type Revision,
} from '../storage.ts';
import type { PostedEvents } from './event-stream.ts';
import { ownBytes } from './port.ts';

export type StorageCall =
  | { readonly kind: 'revision' }
  | { readonly kind: 'get'; readonly key: string; readonly revision: Revision | undefined }
  | { readonly kind: 'list'; readonly range: KeyRange; readonly options: ListOptions }
  /** Writes if the key still has this revision; 0 is that of a missing key. A write without a value is a delete. */
  | {
      readonly kind: 'write';
      readonly key: string;
      readonly expected: Revision;
      readonly value: Uint8Array<ArrayBuffer> | undefined;
      readonly ttlSeconds: number | undefined;
    }
  | { readonly kind: 'watch'; readonly range: KeyRange; readonly after: Revision }
  | { readonly kind: 'compact'; readonly revision: Revision }
  /** Subscribes to all events of the store, whatever their resource. */
  | { readonly kind: 'follow' }
  /** Makes the open watches of this range send their progress. */
  | { readonly kind: 'progress'; readonly range: KeyRange }
  /** Ends the watch or subscription with the same number. */
  | { readonly kind: 'unwatch' };

export interface StorageQuestion {
  readonly id: number;
  /** Values of different resources may be encrypted differently, or stored elsewhere. */
  readonly resource: GroupResource;
  readonly call: StorageCall;
}

export type StorageReply =
  | { readonly id: number; readonly kind: 'revision'; readonly revision: Revision }
  | { readonly id: number; readonly kind: 'entry'; readonly entry: Entry | undefined }
  | { readonly id: number; readonly kind: 'page'; readonly page: Page }
  /** The sender knows the value. */
  | { readonly id: number; readonly kind: 'written'; readonly entry: EntryNumbers | undefined }
  /** Nothing was written, since this is the current entry. */
  | { readonly id: number; readonly kind: 'outdated'; readonly entry: Entry | undefined }
  /** The first reply to a subscription. */
  | {
      readonly id: number;
      readonly kind: 'following';
      readonly revisions: SharedArrayBuffer;
      readonly after: Revision;
    }
  | { readonly id: number; readonly kind: 'events'; readonly events: PostedEvents }
  | { readonly id: number; readonly kind: 'batch'; readonly batch: EventBatch }
  /** Ends a watch, or confirms a call without another reply. */
  | { readonly id: number; readonly kind: 'over' }
  | { readonly id: number; readonly kind: 'failed'; readonly failure: PortFailure };

export type EntryNumbers = Omit<Entry, 'key' | 'value' | 'decoded'>;

/** An error to be sent to another thread; of errors other than the store's only the message is kept. */
export interface PortFailure {
  readonly kind: StorageError['kind'] | undefined;
  readonly message: string;
  readonly revision: Revision | undefined;
}

export function failureToPost(failure: unknown): PortFailure {
  const message = messageOf(failure);
  if (!(failure instanceof StorageError)) return { kind: undefined, message, revision: undefined };
  return { kind: failure.kind, message, revision: failure.revision };
}

export const failureFromPost = ({ kind, message, revision }: PortFailure): Error =>
  kind === undefined
    ? new Error(message)
    : new StorageError(kind, message, revision === undefined ? {} : { revision });

/** Decoded objects are left out; the bytes are sent. */
export function entryToPost({ decoded: _decoded, ...entry }: Entry): Entry {
  return { ...entry, value: ownBytes(entry.value) };
}

export const numbersToPost = ({
  key: _key,
  value: _value,
  decoded: _decoded,
  ...numbers
}: Entry): EntryNumbers => numbers;

export const valuesOf = (entries: readonly (Entry | undefined)[]): Uint8Array<ArrayBuffer>[] =>
  entries.flatMap((entry) => (entry === undefined ? [] : [entry.value as Uint8Array<ArrayBuffer>]));
