import {
  aborted,
  BoundedFrequencyRunner,
  PendingCauses,
  runStep,
  scopeOf,
  systemClock,
  systemRandom,
  type Clock,
  type KubeObject,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import type { ServiceCIDR } from '@coxswain/api/networking/v1/service-cidr.ts';
import { InformerFactory, type Informer, type KubeClient } from '@coxswain/client';
import type { ProxyNode } from './model/choose-endpoints.ts';
import type { EndpointSliceObject, ServiceObject } from './model/plan-services.ts';
import { ServiceIndex } from './model/service-index.ts';
import type { PlanChanges } from './model/service-rule.ts';
import type { RuleWriter } from './rule-writer.ts';

/** The minimum interval between writes; changes in between are written together. */
export const syncPeriodMinMs = 1_000;
/** The delay after a failed write. */
export const syncPeriodMs = 30_000;
/** How often everything is checked even without changes. */
const syncPeriodMaxMs = 3_600_000;
const rangesWaitMsMax = 1_000;

export interface StartKubeProxyOptions {
  readonly client: KubeClient;
  /** The node for which rules are written. */
  readonly nodeName: string;
  readonly writer: RuleWriter;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** Shared with other components of the process, and started by the caller. Own informers if unset. */
  readonly informers?: InformerFactory;
  readonly syncPeriodMinMs?: number;
  readonly syncPeriodMs?: number;
  readonly onError?: (error: unknown) => void;
  readonly events?: ProxyEvents;
}

/** Events for health checks and metrics. */
export interface ProxyEvents {
  readonly serviceChanged?: () => void;
  /** The slice is undefined if it was deleted. */
  readonly endpointsChanged?: (slice?: EndpointSliceObject) => void;
  /** Rules are about to be written. */
  readonly queued?: () => void;
  /** All changes so far are in effect. */
  readonly written?: (changes: PlanChanges) => void;
  /** The node, after each change; undefined when it is deleted. */
  readonly node?: (node: KubeObject | undefined) => void;
}

export interface RunningKubeProxy {
  /** Resolves after the first write, successful or not. */
  readonly synced: Promise<void>;
  /** Resolves when everything has stopped after the signal. */
  readonly stopped: Promise<void>;
}

const services = { group: '', version: 'v1', resource: 'services' } as const;
const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' } as const;
const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;
const serviceCidrs = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' } as const;
const zoneLabel = 'topology.kubernetes.io/zone';

/** Keeps a node's rules in sync with services and endpoint slices. */
export function startKubeProxy(options: StartKubeProxyOptions): RunningKubeProxy {
  const { client, signal, observer, nodeName, writer, events = {} } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = options.onError ?? (() => {});
  const factory = options.informers ?? new InformerFactory({ client, clock, random, observer, onError });
  const index = new ServiceIndex();
  let node: ProxyNode = { name: nodeName };
  const causes = new PendingCauses(observer);
  const undertaken = () =>
    observer &&
    scopeOf(observer, () => ({
      kind: 'proxy',
      component: `kube-proxy/${nodeName}`,
      name: nodeName,
      causes: causes.take(nodeName),
    }));
  async function syncProxyRules() {
    const changes = index.takeChanges(node);
    observer?.note?.({ services: [...changes.keys()] });
    const againMs = await writer.write(changes);
    events.written?.(changes);
    return againMs;
  }
  const sync = new BoundedFrequencyRunner({
    job: () => runStep(undertaken(), 'sync', syncProxyRules),
    restMs: options.syncPeriodMinMs ?? syncPeriodMinMs,
    periodMaxMs: syncPeriodMaxMs,
    retryMs: options.syncPeriodMs ?? syncPeriodMs,
    clock,
    onError,
  });
  const request = () => {
    if (index.changedCount === 0) return;
    causes.note(nodeName);
    events.queued?.();
    sync.request();
  };
  const informers = [
    watchServices(factory, index, request, events),
    watchSlices(factory, index, request, events),
    watchNode(factory, nodeName, (found) => {
      events.node?.(found);
      const zone = found?.metadata.labels?.[zoneLabel];
      if (zone === node.zone) return;
      node = { name: nodeName, zone };
      index.changeAll();
      request();
    }),
  ];
  const ranges = watchServiceCidrs(factory, writer, () => sync.request());
  if (options.informers === undefined) factory.start(signal);
  const synced = Promise.all(informers.map((informer) => informer.synced))
    // Servers before 1.33 may lack it; rules are written without it.
    .then(() => Promise.race([ranges?.synced, clock.sleep(rangesWaitMsMax, signal).catch(() => {})]))
    .then(() => sync.open());
  const informersStopped = options.informers === undefined ? factory.stopped() : undefined;
  const closed = aborted(signal).then(() => sync.close());
  return { synced, stopped: Promise.all([closed, informersStopped]).then(() => undefined) };
}

type AnyInformer = Pick<Informer<KubeObject>, 'synced'>;

function watchServices(
  factory: InformerFactory,
  index: ServiceIndex,
  request: () => void,
  { serviceChanged }: ProxyEvents,
): AnyInformer {
  const informer = factory.informer<ServiceObject>(services);
  const set = (service: ServiceObject) => {
    index.setService(service);
    serviceChanged?.();
    request();
  };
  informer.addHandler({
    added: set,
    updated: (_before, service) => set(service),
    deleted: (service) => {
      index.removeService(service);
      serviceChanged?.();
      request();
    },
  });
  return informer;
}

function watchSlices(
  factory: InformerFactory,
  index: ServiceIndex,
  request: () => void,
  { endpointsChanged }: ProxyEvents,
): AnyInformer {
  const informer = factory.informer<EndpointSliceObject>(endpointSlices);
  const changed = (slice?: EndpointSliceObject) => {
    endpointsChanged?.(slice);
    request();
  };
  informer.addHandler({
    added: (slice) => {
      index.setSlice(slice);
      changed(slice);
    },
    updated: (before, slice) => {
      index.setSlice(slice, before);
      changed(slice);
    },
    deleted: (slice) => {
      index.removeSlice(slice);
      changed();
    },
  });
  return informer;
}

function watchNode(
  factory: InformerFactory,
  nodeName: string,
  changed: (node: KubeObject | undefined) => void,
): AnyInformer {
  const informer = factory.informer<KubeObject>(nodes);
  const ifOurs = (node: KubeObject, reported: KubeObject | undefined) => {
    if (node.metadata.name === nodeName) changed(reported);
  };
  informer.addHandler({
    added: (node) => ifOurs(node, node),
    updated: (_before, node) => ifOurs(node, node),
    deleted: (node) => ifOurs(node, undefined),
  });
  return informer;
}

function watchServiceCidrs(
  factory: InformerFactory,
  writer: RuleWriter,
  request: () => void,
): AnyInformer | undefined {
  if (writer.setServiceCidrs === undefined) return undefined;
  const informer = factory.informer<ServiceCIDR & KubeObject>(serviceCidrs);
  const changed = () => {
    const ranges = informer.lister.list().flatMap(({ spec }) => spec?.cidrs ?? []);
    writer.setServiceCidrs?.([...new Set(ranges)].sort());
    if (informer.hasSynced) request();
  };
  informer.addHandler({ added: changed, updated: changed, deleted: changed });
  return informer;
}
