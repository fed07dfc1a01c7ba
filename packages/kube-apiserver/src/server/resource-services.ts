/** Creates the services for strategies and subresources. */
import { ruleResolver } from '../authorization/rule-resolver.ts';
import type { AuthorizerChain } from '../authorization/authorizer-chain.ts';
import { streamCounters } from '../groups/core/pod/stream-translation.ts';
import { serviceAllocationOf } from '../groups/core/service/service-allocation.ts';
import type { Services, ReviewToken } from '../groups/services.ts';
import { ruleLister } from '../rbac/rule-lister.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { ServerState } from './server-state.ts';

export interface ResourceServicesParts {
  readonly authorizer: AuthorizerChain;
  readonly reviewToken: ReviewToken;
}

/** Upstream's resource of the node port allocations. */
const nodePortAllocations = { group: '', resource: 'servicenodeportallocations' };

/** @throws Error for an invalid service range */
export function resourceServices(
  options: CompletedOptions,
  state: ServerState,
  { authorizer, reviewToken }: ResourceServicesParts,
): Services {
  const { clock, random, storage, where, authorization } = options;
  const { objects, stores } = state;
  const rules = ruleLister(objects);
  return {
    clock,
    random,
    newUid: options.newUid,
    transient: options.transient,
    features: options.features,
    objects,
    loopback: state.loopback,
    authorizer,
    allowPrivileged: options.allowPrivileged,
    eventTtlSeconds: options.eventTtlSeconds,
    reviewToken,
    rules,
    resolveRules: ruleResolver(() => authorizer.modes(), rules, authorization.policies ?? []),
    tokenIssuer: options.serviceAccounts?.tokenIssuer,
    apiAudiences: options.apiAudiences,
    kubelets: options.kubelets,
    streamCounters: streamCounters(state.metrics),
    forwarder: options.forwarder,
    storageHealthy: () => state.storage.isOpen,
    services: serviceAllocationOf({
      clock,
      random,
      objects,
      stores,
      storage,
      portStorage: where.storageFor(nodePortAllocations),
      storedForm: where.storedForm(nodePortAllocations),
      ranges: options.serviceClusterIpRanges,
      nodePorts: options.nodePorts,
      features: options.features,
    }),
  };
}
