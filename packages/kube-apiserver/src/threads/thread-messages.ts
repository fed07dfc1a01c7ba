/** The messages between the main thread and serving threads. */
import type { MessagePort } from 'node:worker_threads';
import type { AuditEvent } from '@coxswain/apiserver/audit/audit-event.ts';
import type { AuditPolicy } from '@coxswain/apiserver/audit/policy/audit-policy.ts';
import type { PostedRequest } from '@coxswain/apiserver/posted-request.ts';
import type { ForwardTarget } from '../proxy/forwarder.ts';
import type { ServingSettings } from '../settings.ts';
import type { FromCaller, ToCaller } from '../workers/posted-calls.ts';
import type { CarriedRequest } from './carried-request.ts';

export interface ServingThreadData {
  readonly settings: ServingSettings;
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
  /** The outcome of a webhook's call. */
  | { readonly kind: 'webhook'; readonly message: ToCaller }
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
  | { readonly kind: 'serve'; readonly request: PostedRequest }
  /** The same for one whose response may have no end; answered with a `CarriedAnswer`. */
  | { readonly kind: 'carry'; readonly request: CarriedRequest; readonly port: MessagePort }
  /** A request to be forwarded by the main thread, answered likewise. */
  | {
      readonly kind: 'forward';
      readonly request: CarriedRequest;
      readonly target: ForwardTarget;
      readonly port: MessagePort;
    }
  | { readonly kind: 'webhook'; readonly message: FromCaller };
