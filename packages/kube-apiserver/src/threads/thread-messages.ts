/** The messages between the main thread and serving threads. */
import type { MessagePort } from 'node:worker_threads';
import type { AuditEvent } from '@coxswain/apiserver/audit/audit-event.ts';
import type { AuditPolicy } from '@coxswain/apiserver/audit/policy/audit-policy.ts';
import type { PostedRequest } from '@coxswain/apiserver/posted-request.ts';

export interface ServingThreadData {
  /** The program's arguments; the thread parses the same flags. */
  readonly args: readonly string[];
  /** Starts at 0. */
  readonly index: number;
  /** The number of threads that share the work and the limits. */
  readonly count: number;
  readonly securePort: number;
  /** Absent if the store is remote, so that each thread has a connection of its own. */
  readonly storage: MessagePort | undefined;
  readonly auditPolicy: AuditPolicy | undefined;
}

/** Calls from the main thread to a serving thread. */
export type ToServingThread =
  /** Answered with the text of its metrics. */
  | { readonly kind: 'metrics' }
  | { readonly kind: 'reset metrics' }
  /** Stops the server gracefully; answered when that is done. */
  | { readonly kind: 'stop' };

/** Calls from a serving thread to the main thread. */
export type ToMainThread =
  | { readonly kind: 'serving' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'log'; readonly text: string }
  /** Answered with whether the events were recorded. */
  | { readonly kind: 'audit'; readonly events: readonly AuditEvent[] }
  /** A request that only the main thread can serve, after all filters. */
  | { readonly kind: 'serve'; readonly request: PostedRequest };
