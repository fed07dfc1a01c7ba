/** Creates the handlers' shared services: the clock, the authorizer, the metrics, and the admission chain. */
import type { ApiGroup, Authorizer } from '@coxswain/apiserver';
import { AdmissionMetrics } from '@coxswain/apiserver/admission/admission-metrics.ts';
import { admissionChain, type AdmissionChain } from '@coxswain/apiserver/admission/chain.ts';
import { threadCpuTime, TurnWatch } from '@coxswain/apiserver/flow-control/turn-watch.ts';
import type { ServerServices } from '@coxswain/apiserver/services/services.ts';
import { admissionPlugins } from '../admission/plugins.ts';
import type { ServedGroups } from '../aggregator/served-groups.ts';
import { equivalentResources } from '../admission/equivalent-resources.ts';
import { resourceMapper } from '../admission/resource-mapper.ts';
import { goTypes } from '../go-types.ts';
import { registeredKinds } from '../known-kinds.ts';
import { quotaAccessor } from '../quota-accessor.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { Loopback } from '../loopback.ts';
import type { ServerState } from './server-state.ts';

export interface HandlerServicesParts {
  readonly authorizer: Authorizer;
  /** The groups that are not custom resources. */
  readonly builtInGroups: readonly ApiGroup[];
  /** All served groups, including custom resources. */
  readonly servedGroups: ServedGroups;
  readonly webhooks: WebhookCaller;
}

export function handlerServices(
  options: CompletedOptions,
  state: ServerState,
  parts: HandlerServicesParts,
): ServerServices {
  const { metrics, openWatches, stores } = state;
  return {
    clock: options.clock,
    ...options.transient,
    log: options.log,
    authorizer: parts.authorizer,
    metrics,
    gzip: options.gzip,
    openWatches,
    registeredKind: registeredKinds(options.runtime),
    goTypeOf: goTypes(registeredKinds(options.runtime)),
    minRequestTimeoutMs: options.minRequestTimeoutMs,
    offersWatchList: options.features.enabled('WatchList'),
    allowsUnsafeDeletion: options.features.enabled('AllowUnsafeMalformedObjectDeletion'),
    admission: admissionOf(options, state, parts),
    ...(options.workers && {
      turns: new TurnWatch({
        clock: options.clock,
        metrics,
        log: options.log,
        cpuMs: threadCpuTime(options.clock),
      }),
      serveSomewhere: options.workers.serveSomewhere(stores, options.clock, parts.webhooks),
      reformElsewhere: (...form) => options.workers!.reform(...form),
    }),
  };
}

function admissionOf(
  options: CompletedOptions,
  { objects, stores, loopback, metrics }: ServerState,
  { authorizer, builtInGroups, servedGroups, webhooks }: HandlerServicesParts,
): AdmissionChain {
  const { clock, random, features } = options;
  const { enableAdmissionPlugins, disableAdmissionPlugins } = options;
  return admissionChain(
    admissionPlugins(enableAdmissionPlugins, disableAdmissionPlugins, {
      objects,
      authorizer,
      random,
      quotas: quotaAccessor(stores, clock),
      createNamespace: (name) => createNamespace(loopback, name),
      hasPodPresets: builtInGroups.some((group) => group.name === 'settings.k8s.io'),
      clock,
      metrics,
      features,
      mappingsOf: resourceMapper(servedGroups.all),
      equivalents: equivalentResources(servedGroups.all),
      configurations: options.pluginConfigurations ?? new Map(),
      connect: options.connectWebhook,
      caller: webhooks,
      readWebhookCredentials: options.readWebhookCredentials,
      newUid: options.transient.newUid,
      tolerationSeconds: options.tolerationSeconds,
    }),
    new AdmissionMetrics(metrics, clock),
  );
}

async function createNamespace({ transport }: Loopback, name: string): Promise<void> {
  const body = { object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } };
  await transport.send({ method: 'POST', path: '/api/v1/namespaces', headers: {}, body });
}
