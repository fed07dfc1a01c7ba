/** The configured authorizers of a server in order; a file may replace them at run time. */
import type { Clock, Random } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Authorizer } from '@coxswain/apiserver';
import { alwaysAllow, alwaysDeny, privilegedGroup } from '@coxswain/apiserver/authorization/fixed.ts';
import { rbacAuthorizer } from '@coxswain/apiserver/authorization/rbac/authorizer.ts';
import type { RuleResolver } from '@coxswain/apiserver/authorization/rbac/rule-resolver.ts';
import { countedAuthorizer } from '@coxswain/apiserver/authorization/authorization-metrics.ts';
import { unionAuthorizer } from '@coxswain/apiserver/authorization/union.ts';
import { componentRoles } from '../default-roles/component-roles.ts';
import { allow } from '../default-roles/policy-rule.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { WebhookConnector } from '../webhook-connection.ts';
import { abacAuthorizer } from './abac-authorizer.ts';
import type { AbacPolicy } from './abac-policies.ts';
import type { AuthorizationMode, ConfiguredAuthorizer } from './configured-authorizer.ts';
import { nodeAuthorizer } from './node/node-authorizer.ts';
import type { NodeGraph } from './node/node-graph.ts';
import { webhookAuthorizer } from './webhook-authorizer.ts';

export interface AuthorizationSetup {
  readonly authorizers: readonly ConfiguredAuthorizer[];
  /** The policies of ABAC mode's file. */
  readonly policies?: readonly AbacPolicy[];
  readonly connect: WebhookConnector;
  /** Calls back with new configurations; an error of the callback keeps the old one. Returns a function to stop. */
  readonly follow?: (
    exchange: (authorizers: readonly ConfiguredAuthorizer[]) => void,
    reported: (status: 'success' | 'failure') => void,
  ) => () => void;
}

export interface AuthorizerParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly features: FeatureGates;
  readonly rules: RuleResolver;
  readonly graph: NodeGraph;
  readonly metrics: Metrics;
}

export interface AuthorizerChain extends Authorizer {
  readonly modes: () => readonly AuthorizationMode[];
  /** @throws Error when one of them cannot be created; the old ones stay in use then */
  exchange(authorizers: readonly ConfiguredAuthorizer[]): void;
}

/** @throws Error when one of them cannot be created */
export function authorizerChain(setup: AuthorizationSetup, parts: AuthorizerParts): AuthorizerChain {
  const make = (authorizers: readonly ConfiguredAuthorizer[]): Authorizer =>
    unionAuthorizer([
      privilegedGroup,
      ...authorizers.map((one) =>
        countedAuthorizer(madeAuthorizer(one, setup, parts), one.type, one.name, parts.metrics),
      ),
    ]);
  let current = firstOf(() => make(setup.authorizers));
  let modes = setup.authorizers.map(({ type }) => type);
  return {
    name: 'union',
    decide: (attributes) => current.decide(attributes),
    modes: () => modes,
    exchange(authorizers) {
      current = make(authorizers);
      modes = authorizers.map(({ type }) => type);
    },
  };
}

function firstOf(make: () => Authorizer): Authorizer {
  try {
    return make();
  } catch (failure) {
    throw new Error(`invalid authorization config: ${messageOf(failure)}`, { cause: failure });
  }
}

function madeAuthorizer(
  { type, name, webhook }: ConfiguredAuthorizer,
  { connect, policies = [] }: AuthorizationSetup,
  { clock, random, features, rules, graph }: AuthorizerParts,
): Authorizer {
  switch (type) {
    case 'AlwaysAllow':
      return alwaysAllow;
    case 'AlwaysDeny':
      return alwaysDeny;
    case 'ABAC':
      return abacAuthorizer(policies);
    case 'Node':
      return nodeAuthorizer({ graph, rules: nodeRules(features), features });
    case 'RBAC':
      return rbacAuthorizer(rules);
    case 'Webhook':
      return webhookAuthorizer(name, webhook!, { connect, clock, random });
  }
}

/** The rules of the role `system:node`, including those of enabled features. */
const nodeRules = (features: FeatureGates) => [
  ...componentRoles['system:node']!,
  ...(features.enabled('ClusterTrustBundle')
    ? [allow('get list watch', 'certificates.k8s.io', 'clustertrustbundles')]
    : []),
  ...(features.enabled('PodCertificateRequest')
    ? [allow('create get list watch', 'certificates.k8s.io', 'podcertificaterequests')]
    : []),
];
