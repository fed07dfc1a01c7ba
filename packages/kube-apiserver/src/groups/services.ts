/** What strategies and subresources need of the running server. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Authorizer } from '@coxswain/apiserver';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { ObjectReader } from '../admission/object-reader.ts';
import type { ResolveRules } from '../authorization/rule-resolver.ts';
import type { TokenIssuer } from '../service-accounts/token-issuer.ts';
import type { KubeletConnection } from '../kubelet-connection.ts';
import type { Forwarder } from '../proxy/forwarder.ts';
import type { ReviewToken } from '../server/authentication.ts';
import type { Loopback } from '../loopback.ts';
import type { StreamCounters } from './core/pod/stream-translation.ts';
import type { ServiceAllocation } from './core/service/service-strategy.ts';

export interface Services {
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: () => string;
  readonly allowPrivileged: boolean;
  readonly features: FeatureGates;
  readonly eventTtlSeconds: number;
  readonly objects: ObjectReader;
  /** The server as a client of itself, once it is whole. */
  readonly loopback: Pick<Loopback, 'transport'>;
  readonly authorizer: Authorizer;
  /** For TokenReview. */
  readonly reviewToken: ReviewToken;
  readonly rules: RuleLister;
  /** What all authorizers together tell of a user's rules. */
  readonly resolveRules: ResolveRules;
  /** Absent when the server has no signing key. */
  readonly tokenIssuer: TokenIssuer | undefined;
  readonly apiAudiences: readonly string[];
  readonly kubelets: KubeletConnection;
  readonly streamCounters: StreamCounters;
  /** For the proxies of pods and services. */
  readonly forwarder: Forwarder;
  readonly services: ServiceAllocation;
  /** What the backing store says of itself, for `componentstatuses`. */
  readonly storageHealthy: () => boolean;
}

/** For SelfSubjectRulesReview and the check against escalation. */
export interface RuleLister {
  rulesOf(
    user: { readonly name: string; readonly groups: readonly string[] },
    namespace: string,
  ): { readonly rules: readonly GrantedRule[]; readonly missing: readonly MissingRole[] };
}

/** A role that a binding of the user leads to and that isn't there. */
export interface MissingRole {
  readonly resource: 'roles' | 'clusterroles';
  readonly name: string;
}

export interface GrantedRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
