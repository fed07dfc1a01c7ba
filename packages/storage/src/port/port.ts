import type { MessagePort } from 'node:worker_threads';

/** One end of a channel between two threads. */
export type Port = Pick<MessagePort, 'postMessage' | 'on'>;

/** Bytes to transfer to another thread: a copy in a buffer of its own, which is moved without a further copy. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
