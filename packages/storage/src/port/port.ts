import type { MessagePort } from 'node:worker_threads';

/** One end of a way between two threads. */
export type Port = Pick<MessagePort, 'postMessage' | 'on'>;

/** Bytes that another thread may have: a copy in a buffer of its own, which is moved and not copied again. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
