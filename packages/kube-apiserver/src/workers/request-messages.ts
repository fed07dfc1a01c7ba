/** The messages between the main thread and a thread that serves large requests for it. */
import type { PostedAnswer, PostedRequest } from '@coxswain/apiserver/posted-request.ts';
import type { StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import type { MessagePort } from 'node:worker_threads';
import type { WorkerSettings } from '../settings.ts';
import type { Counted } from './counted-elsewhere.ts';
import type { FromCaller, ToCaller } from './posted-calls.ts';

export interface WorkerData {
  readonly settings: WorkerSettings;
  /** The encoding of stored values, except in groups that are always JSON. */
  readonly storedForm: StoredForm;
  /** A port on which the main thread answers for its store. */
  readonly storage: MessagePort;
  /** Whether the main thread calls the webhooks that have a Service. */
  readonly callsThroughMain: boolean;
}

/** The jobs of a thread. */
export type Job =
  | { readonly kind: 'serve'; readonly request: PostedRequest }
  /** JSON to be converted to another form. */
  | {
      readonly kind: 'reform';
      readonly json: Uint8Array;
      readonly media: 'json' | 'yaml';
      readonly pretty: boolean;
    };

export type ToWorker =
  | { readonly id: number; readonly kind: 'job'; readonly job: Job }
  /** Nobody waits for the result any more. */
  | { readonly id: number; readonly kind: 'abandon' }
  | ToCaller;

export type FromWorker =
  | { readonly kind: 'ready' }
  /** Metrics recorded for jobs since the last message. */
  | { readonly kind: 'counted'; readonly counted: readonly Counted[] }
  | { readonly kind: 'done'; readonly id: number; readonly result: PostedAnswer | Uint8Array }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'log'; readonly line: string }
  | FromCaller;
