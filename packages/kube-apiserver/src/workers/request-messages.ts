/** Between the server's main thread and a thread that serves large requests for it. */
import type { PostedAnswer, PostedRequest } from '@coxswain/apiserver/posted-request.ts';
import type { StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import type { MessagePort } from 'node:worker_threads';
import type { WorkerSettings } from '../settings.ts';
import type { Counted } from './counted-elsewhere.ts';

export interface WorkerData {
  readonly settings: WorkerSettings;
  /** In which form values are written; groups that are always JSON know it themselves. */
  readonly storedForm: StoredForm;
  /** Where the main thread answers for its store. */
  readonly storage: MessagePort;
}

/** What a thread is asked for. */
export type Job =
  | { readonly kind: 'serve'; readonly request: PostedRequest }
  /** JSON to be written in another form. */
  | {
      readonly kind: 'reform';
      readonly json: Uint8Array;
      readonly media: 'json' | 'yaml';
      readonly pretty: boolean;
    };

export type ToWorker =
  | { readonly id: number; readonly kind: 'job'; readonly job: Job }
  /** Nobody waits for it any more. */
  | { readonly id: number; readonly kind: 'abandon' };

export type FromWorker =
  | { readonly kind: 'ready' }
  /** What was counted for jobs since the last time. */
  | { readonly kind: 'counted'; readonly counted: readonly Counted[] }
  | { readonly kind: 'done'; readonly id: number; readonly result: PostedAnswer | Uint8Array }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'log'; readonly line: string };
