/** What the handlers of a server share: its clock, its authorizer, its admission chain. */
import type { Clock, GroupVersionKind, Random } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import type { AdmissionChain } from './admission/chain.ts';
import type { Authorizer } from './authorization/authorizer.ts';
import type { Compression } from './http/compression.ts';
import type { OpenWatches } from './lifecycle/open-watches.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

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
  /** Watches without `timeoutSeconds` end after this many milliseconds to twice as many. */
  readonly minRequestTimeoutMs: number;
  /** Where watches are noted that a stopping server is to end. */
  readonly openWatches?: OpenWatches;
}
