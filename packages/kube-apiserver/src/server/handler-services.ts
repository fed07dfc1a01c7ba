/** What handlers share: the clock, the authorizer, the metrics, and the admission chain in front of every write. */
import type { ApiGroup, Authorizer } from '@coxswain/apiserver';
import { AdmissionMetrics } from '@coxswain/apiserver/admission/admission-metrics.ts';
import { admissionChain, type AdmissionChain } from '@coxswain/apiserver/admission/chain.ts';
import { TurnWatch } from '@coxswain/apiserver/flow-control/turn-watch.ts';
import type { OpenWatches } from '@coxswain/apiserver/lifecycle/open-watches.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { ServerServices } from '@coxswain/apiserver/services.ts';
import type { ObjectReader } from '../admission/object-reader.ts';
import { admissionPlugins } from '../admission/plugins.ts';
import { equivalentResources } from '../admission/equivalent-resources.ts';
import { resourceMapper } from '../admission/resource-mapper.ts';
import type { InstalledGroups } from '../groups/install.ts';
import { goTypes } from '../go-types.ts';
import { registeredKinds } from '../known-kinds.ts';
import type { FindStore } from '../stored-objects.ts';
import { quotaAccessor } from '../quota-accessor.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import { largeRequests } from '../workers/large-requests.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { Loopback } from './loopback.ts';

export interface HandlerServicesParts {
  readonly objects: ObjectReader;
  readonly findStore: FindStore;
  readonly authorizer: Authorizer;
  readonly installed: InstalledGroups;
  readonly loopback: Loopback;
  readonly webhooks: WebhookCaller;
  readonly openWatches: OpenWatches;
  readonly metrics: Metrics;
  /** All groups that are served, custom ones too. */
  readonly servedGroups: () => readonly ApiGroup[];
}

export function handlerServices(options: CompletedOptions, parts: HandlerServicesParts): ServerServices {
  const { metrics } = parts;
  return {
    clock: options.clock,
    random: options.random,
    newUid: options.newUid,
    log: options.log,
    authorizer: parts.authorizer,
    metrics,
    gzip: options.gzip,
    openWatches: parts.openWatches,
    registeredKind: registeredKinds(options.runtime),
    goTypeOf: goTypes(registeredKinds(options.runtime)),
    minRequestTimeoutMs: options.minRequestTimeoutMs,
    admission: admissionOf(options, parts, metrics),
    ...(options.workers && {
      turns: new TurnWatch(options.clock, metrics, options.log),
      serveElsewhere: largeRequests(options.workers, parts.findStore),
      reformElsewhere: (...form) => options.workers!.reform(...form),
    }),
  };
}

function admissionOf(
  options: CompletedOptions,
  parts: HandlerServicesParts,
  metrics: Metrics,
): AdmissionChain {
  const { clock, random, features } = options;
  const { objects, authorizer, installed, loopback, servedGroups } = parts;
  const { enableAdmissionPlugins, disableAdmissionPlugins } = options;
  return admissionChain(
    admissionPlugins(enableAdmissionPlugins, disableAdmissionPlugins, {
      objects,
      authorizer,
      random,
      quotas: quotaAccessor(installed.stores, clock),
      createNamespace: (name) => createNamespace(loopback, name),
      hasPodPresets: installed.groups.some((group) => group.name === 'settings.k8s.io'),
      clock,
      metrics,
      features,
      mappingsOf: resourceMapper(servedGroups),
      equivalents: equivalentResources(servedGroups),
      configurations: options.pluginConfigurations ?? new Map(),
      connect: options.connectWebhook,
      caller: parts.webhooks,
      readWebhookCredentials: options.readWebhookCredentials,
      newUid: options.newUid,
      tolerationSeconds: options.tolerationSeconds,
    }),
    new AdmissionMetrics(metrics, clock),
  );
}

async function createNamespace({ transport }: Loopback, name: string): Promise<void> {
  const body = { object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } };
  await transport.send({ method: 'POST', path: '/api/v1/namespaces', headers: {}, body });
}
