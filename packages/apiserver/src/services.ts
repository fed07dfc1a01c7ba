/** What the handlers of a server share: its clock, its authorizer, its admission chain. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { AdmissionChain } from './admission/chain.ts';
import type { Authorizer } from './authorization/authorizer.ts';
import type { Metrics } from './metrics/metrics.ts';

export interface ServerServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: () => string;
  readonly log: (line: string) => void;
  readonly authorizer: Authorizer;
  readonly admission: AdmissionChain;
  readonly metrics: Metrics;
  /** Compresses an answer; absent where the platform offers nothing fast. */
  readonly gzip?: ((chunks: readonly Uint8Array[]) => Promise<Uint8Array>) | undefined;
  /** Whether the server knows a kind at all; decides how a wrong body is refused. */
  readonly isKindRegistered: (apiVersion: string, kind: string) => boolean;
  /** Watches without `timeoutSeconds` end after this many milliseconds to twice as many. */
  readonly minRequestTimeoutMs: number;
}
