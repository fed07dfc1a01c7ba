/** What the handlers of a server share: its clock, its authorizer, its admission chain. */
import type { Clock, GroupVersionKind, Random } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import type { AdmissionChain } from '../admission/chain.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { Answer } from '../http/api-response.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { TurnWatch } from '../flow-control/turn-watch.ts';
import type { Compression } from '../http/compression.ts';
import type { OpenWatches } from '../lifecycle/open-watches.ts';
import type { RestStorage } from '../rest/storage.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** The endpoint of a request, as far as it determines which thread serves it. */
export interface RequestedEndpoint {
  readonly resource: string;
  readonly subresource: string;
  readonly storage: RestStorage;
}

/**
 * Serves a request in this thread, or in another one if it would block this one.
 * @param step the step of its route: `post`
 * @param here serves it in this thread
 */
export type ServeSomewhere = (
  request: ApiRequest,
  endpoint: RequestedEndpoint,
  step: string,
  here: () => Answer,
) => Answer;

/**
 * Converts JSON to YAML or indents it in another thread.
 * @param bytes of the JSON, and those of them that are held in memory only for this request
 * @param json called only when a thread is free, so that many waiting requests for large lists hold no memory
 */
export type ReformElsewhere = (
  request: ApiRequest,
  bytes: { readonly held: number; readonly total: number },
  json: () => Uint8Array,
  media: 'json' | 'yaml',
  pretty: boolean,
) => Promise<Uint8Array>;

export interface ServerServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: () => string;
  readonly log: (line: string) => void;
  readonly authorizer: Authorizer;
  readonly admission: AdmissionChain;
  readonly metrics: Metrics;
  /** Absent if the platform has no fast implementation. */
  readonly gzip?: Compression | undefined;
  /** A kind that the server knows, served or not; determines the error for a wrong body. */
  readonly registeredKind: (apiVersion: string, kind: string) => Kind | undefined;
  /** Upstream's type name for a kind that it knows when it decodes bodies of a group: `v1.Secret`. */
  readonly goTypeOf: (type: GroupVersionKind, forGroup: string) => string | undefined;
  /** `WatchList`: whether watches may request initial events; true if unset. */
  readonly offersWatchList?: boolean;
  /** `AllowUnsafeMalformedObjectDeletion` */
  readonly allowsUnsafeDeletion?: boolean;
  /** The minimum duration of watches without `timeoutSeconds`, in milliseconds; the maximum is twice that. */
  readonly minRequestTimeoutMs: number;
  /** The registry of watches that a stopping server ends. */
  readonly openWatches?: OpenWatches;
  /** This thread serves everything if unset. */
  readonly serveSomewhere?: ServeSomewhere | undefined;
  readonly reformElsewhere?: ReformElsewhere | undefined;
  /** Detects event-loop turns that take too long; absent when nobody does. */
  readonly turns?: TurnWatch | undefined;
}
