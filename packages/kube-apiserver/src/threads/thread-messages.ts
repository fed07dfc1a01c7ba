/** What the main thread and the threads that serve connections say to each other. */
import type { MessagePort } from 'node:worker_threads';
import type { AuditEvent } from '@coxswain/apiserver/audit/audit-event.ts';
import type { AuditPolicy } from '@coxswain/apiserver/audit/policy/audit-policy.ts';
import type { PostedRequest } from '@coxswain/apiserver/posted-request.ts';

export interface ServingThreadData {
  /** Of the program; the thread reads the same flags. */
  readonly args: readonly string[];
  /** The first is 0. */
  readonly index: number;
  /** How many share the work, and the limits. */
  readonly count: number;
  readonly securePort: number;
  /** Absent where the store is elsewhere, and each thread has a connection of its own. */
  readonly storage: MessagePort | undefined;
  readonly auditPolicy: AuditPolicy | undefined;
}

/** What the main thread asks of a serving thread. */
export type ToServingThread =
  /** Answered with the text of its metrics. */
  | { readonly kind: 'metrics' }
  | { readonly kind: 'reset metrics' }
  /** Ends it as a server ends; answered when all is done. */
  | { readonly kind: 'stop' };

/** What a serving thread asks of the main thread. */
export type ToMainThread =
  | { readonly kind: 'serving' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'log'; readonly text: string }
  /** Answered with whether they are kept. */
  | { readonly kind: 'audit'; readonly events: readonly AuditEvent[] }
  /** A request that only the main thread can serve, once all filters have let it pass. */
  | { readonly kind: 'serve'; readonly request: PostedRequest };
