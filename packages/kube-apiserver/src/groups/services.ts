/** The parts of the running server that strategies and subresources need. */
import type { Authentication } from '@coxswain/apiserver/authentication/authenticator.ts';
import type { RuleLister } from '../authorization/rule-lister.ts';
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Authorizer } from '@coxswain/apiserver';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { ObjectReader } from '../object-reader.ts';
import type { ResolveRules } from '../authorization/rule-resolver.ts';
import type { TokenIssuer } from '../service-accounts/token-issuer.ts';
import type { KubeletConnection } from '../kubelet-connection.ts';
import type { Forwarder } from '../proxy/forwarder.ts';
import type { Loopback } from '../loopback.ts';
import type { StreamCounters } from './stream-counters.ts';
import type { TransientValues } from '../transient-values.ts';
import type { ServiceAllocation } from './core/service/service-allocators.ts';

/** Authenticates a token for a TokenReview. */
export type ReviewToken = (token: string, audiences: readonly string[]) => Promise<Authentication>;

export interface Services {
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: () => string;
  /** For what is not stored. */
  readonly transient: TransientValues;
  readonly allowPrivileged: boolean;
  readonly features: FeatureGates;
  readonly eventTtlSeconds: number;
  readonly objects: ObjectReader;
  /** The server as its own client, once it is complete. */
  readonly loopback: Pick<Loopback, 'transport'>;
  readonly authorizer: Authorizer;
  /** For TokenReview. */
  readonly reviewToken: ReviewToken;
  readonly rules: RuleLister;
  /** Collects a user's rules from all authorizers. */
  readonly resolveRules: ResolveRules;
  /** Absent when the server has no signing key. */
  readonly tokenIssuer: TokenIssuer | undefined;
  readonly apiAudiences: readonly string[];
  readonly kubelets: KubeletConnection;
  readonly streamCounters: StreamCounters;
  /** For the proxies of pods and services. */
  readonly forwarder: Forwarder;
  readonly services: ServiceAllocation;
  /** The health of the backing store, for `componentstatuses`. */
  readonly storageHealthy: () => boolean;
}
