/** What strategies and subresources are given of the server that they work in. */
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { ruleResolver } from '../authorization/rule-resolver.ts';
import type { AuthorizerChain } from '../authorization/authorizer-chain.ts';
import type { ObjectReader } from '../admission/object-reader.ts';
import { streamCounters } from '../groups/core/pod/stream-translation.ts';
import { serviceAllocationOf } from '../groups/core/service/service-allocation.ts';
import type { StoreTable } from '../groups/install.ts';
import type { Services } from '../groups/services.ts';
import { ruleLister } from '../rbac/rule-lister.ts';
import type { ReviewToken } from './authentication.ts';
import type { CompletedOptions } from './completed-options.ts';

export interface ResourceServicesParts {
  readonly objects: ObjectReader;
  /** Asked for once requests come: the stores are made with these services. */
  readonly stores: () => StoreTable;
  readonly authorizer: AuthorizerChain;
  readonly reviewToken: ReviewToken;
  readonly isStoreOpen: () => boolean;
  readonly metrics: Metrics;
}

/** The book of node ports, as the original calls it. */
const nodePortAllocations = { group: '', resource: 'servicenodeportallocations' };

/** @throws Error for a service range that is none */
export function resourceServices(options: CompletedOptions, parts: ResourceServicesParts): Services {
  const { clock, random, storage, where, authorization } = options;
  const { objects, stores, authorizer } = parts;
  const rules = ruleLister(objects);
  return {
    clock,
    random,
    newUid: options.newUid,
    features: options.features,
    objects,
    authorizer,
    allowPrivileged: options.allowPrivileged,
    eventTtlSeconds: options.eventTtlSeconds,
    reviewToken: parts.reviewToken,
    rules,
    resolveRules: ruleResolver(() => authorizer.modes(), rules, authorization.policies ?? []),
    tokenIssuer: options.serviceAccounts?.tokenIssuer,
    apiAudiences: options.apiAudiences,
    kubelets: options.kubelets,
    streamCounters: streamCounters(parts.metrics),
    forwarder: options.forwarder,
    storageHealthy: parts.isStoreOpen,
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
    }),
  };
}
