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

/** What a request is for, as far as it tells where to serve it. */
export interface RequestedEndpoint {
  readonly resource: string;
  readonly subresource: string;
  readonly storage: RestStorage;
}

/**
 * Serves a request in this thread, or has another one serve it that it would hold up.
 * @param step of its route: `post`
 * @param here serves it in this thread
 */
export type ServeSomewhere = (
  request: ApiRequest,
  endpoint: RequestedEndpoint,
  step: string,
  here: () => Answer,
) => Answer;

/**
 * JSON, written as YAML or with line breaks by another thread.
 * @param json is made once there is room for it: many who ask for large lists wait without them
 */
export type ReformElsewhere = (
  request: ApiRequest,
  bytes: number,
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
  /** Absent where the platform offers nothing fast. */
  readonly gzip?: Compression | undefined;
  /** A kind that the server knows, served or not; decides how a wrong body is refused. */
  readonly registeredKind: (apiVersion: string, kind: string) => Kind | undefined;
  /** What the original calls the type of a kind that it knows where bodies of a group are read: `v1.Secret`. */
  readonly goTypeOf: (type: GroupVersionKind, forGroup: string) => string | undefined;
  /** `WatchList`: whether watches may ask for the state at their start; on when absent. */
  readonly offersWatchList?: boolean;
  /** `AllowUnsafeMalformedObjectDeletion` */
  readonly allowsUnsafeDeletion?: boolean;
  /** Watches without `timeoutSeconds` end after this many milliseconds to twice as many. */
  readonly minRequestTimeoutMs: number;
  /** Where watches are noted that a stopping server is to end. */
  readonly openWatches?: OpenWatches;
  /** All is served by this thread when absent. */
  readonly serveSomewhere?: ServeSomewhere | undefined;
  readonly reformElsewhere?: ReformElsewhere | undefined;
  /** Tells of turns that take too long; nobody watches them when absent. */
  readonly turns?: TurnWatch | undefined;
}
