/** What a thread asks of the store of another one, and what it is told. */
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
import { ownBytes } from './port.ts';

export type StorageCall =
  | { readonly kind: 'revision' }
  | { readonly kind: 'get'; readonly key: string; readonly revision: Revision | undefined }
  | { readonly kind: 'list'; readonly range: KeyRange; readonly options: ListOptions }
  /** Writes if the key still has this revision; 0 is that of a key which isn't there. A write without a value is a delete. */
  | {
      readonly kind: 'write';
      readonly key: string;
      readonly expected: Revision;
      readonly value: Uint8Array | undefined;
      readonly ttlSeconds: number | undefined;
    }
  | { readonly kind: 'watch'; readonly range: KeyRange; readonly after: Revision }
  | { readonly kind: 'compact'; readonly revision: Revision }
  /** Makes the open watches of this range tell how far they are. */
  | { readonly kind: 'progress'; readonly range: KeyRange }
  /** Ends the watch with the same number. */
  | { readonly kind: 'unwatch' };

export interface StorageQuestion {
  readonly id: number;
  /** Values of different resources may be encrypted differently, or lie elsewhere. */
  readonly resource: GroupResource;
  readonly call: StorageCall;
}

export type StorageReply =
  | { readonly id: number; readonly kind: 'revision'; readonly revision: Revision }
  | { readonly id: number; readonly kind: 'entry'; readonly entry: Entry | undefined }
  | { readonly id: number; readonly kind: 'page'; readonly page: Page }
  | {
      readonly id: number;
      readonly kind: 'written';
      readonly succeeded: boolean;
      readonly entry: Entry | undefined;
    }
  | { readonly id: number; readonly kind: 'batch'; readonly batch: EventBatch }
  /** Of a watch, or of what has no other answer. */
  | { readonly id: number; readonly kind: 'over' }
  | { readonly id: number; readonly kind: 'failed'; readonly failure: PortFailure };

/** An error as it crosses; what is no error of the store keeps its message alone. */
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

/** Decoded objects stay where they are; the bytes go along. */
export function entryToPost({ decoded: _decoded, ...entry }: Entry): Entry {
  return { ...entry, value: ownBytes(entry.value) };
}

export const buffersOf = (entries: readonly (Entry | undefined)[]): ArrayBuffer[] =>
  entries.flatMap((entry) => (entry === undefined ? [] : [entry.value.buffer as ArrayBuffer]));
