/** Maintains the EndpointSlices of each service, from which proxies learn the addresses of its pods. */

import { ignoring } from '@coxswain/apimachinery';
import { objectKey, referenceTo, splitObjectKey, type Lister, type ResourceClient } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type EndpointSlice, type Node, type Pod, type Service } from '../objects.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { startReconciler } from '../reconciler.ts';
import {
  TriggerTimeTracker,
  lastChangeAnnotation,
  podsOf,
  watchServicePods,
} from '../services/service-pods.ts';
import { SliceMetrics } from './slice-metrics.ts';
import { ExpectedSlices } from './expected-slices.ts';
import { TopologyHints, isNodeReady, wantsZoneHints, type HintEvent } from './topology-hints.ts';
import { managedByLabel, managerName, planSlices, serviceNameLabel } from './plan.ts';

const serviceIndex = 'service';
const retriesMax = 15;
const eventSource = 'endpoint-slice-controller';
/** How long to wait for the informer to catch up with our own writes. */
const staleRetryMs = 100;

export const endpointSliceController: Controller = {
  name: 'endpointslice-controller',
  aliases: ['endpointslice'],
  serviceAccount: 'endpointslice-controller',
  start(context) {
    const services = context.informers.informer<Service>(resources.services);
    const pods = context.informers.informer<Pod>(resources.pods);
    const nodes = context.informers.informer<Node>(resources.nodes);
    const slices = context.informers.informer<EndpointSlice>(resources.endpointSlices, {
      [serviceIndex]: (slice) => [serviceKeyOf(slice)],
    });
    const expected = new ExpectedSlices();
    const hints = new TopologyHints(() => nodes.lister.list());
    const caches = {
      services: services.lister,
      pods: pods.lister,
      nodes: nodes.lister,
      slices: slices.lister,
    };
    const sync = sliceSync(context, caches, expected, hints);
    const reconciler = startReconciler(context, {
      queueName: 'endpoint_slice',
      retriesMax,
      retryFirstMs: 1000,
      ready: () => Promise.all([services, pods, nodes, slices].map(({ synced }) => synced)),
      reconcile: sync,
    });
    watchServicePods(services, pods, reconciler.add);
    const wake = (slice: EndpointSlice) => {
      if (slice.metadata.labels?.[managedByLabel] === managerName) reconciler.add(serviceKeyOf(slice));
    };
    slices.addHandler({
      updated(before, after) {
        if (
          before.metadata.generation !== after.metadata.generation ||
          before.metadata.labels !== after.metadata.labels
        )
          wake(after);
      },
      deleted(slice) {
        expected.seenGone(serviceKeyOf(slice), slice);
        wake(slice);
      },
    });
    const zones = startReconciler(context, {
      queueName: 'endpoint_slice_topology',
      ready: () => nodes.synced,
      reconcile: async function syncTopology() {
        for (const key of hints.overloaded()) reconciler.add(key);
      },
    });
    const wakeZones = () => {
      if (hints.nodesChanged()) zones.add(allZones);
    };
    nodes.addHandler({
      // Handles pods that wait for their node to be known, or whose zone changed.
      added({ metadata }) {
        wakeNode(metadata.name ?? '', services.lister, pods.lister, reconciler.add);
        wakeZones();
      },
      updated(before, after) {
        const moved = zoneOf(before) !== zoneOf(after);
        if (moved) wakeNode(after.metadata.name ?? '', services.lister, pods.lister, reconciler.add);
        if (moved || isNodeReady(before) !== isNodeReady(after)) wakeZones();
      },
      deleted: wakeZones,
    });
  },
};

const zoneOf = ({ metadata }: Node) => metadata.labels?.['topology.kubernetes.io/zone'];
/** A queue key that stands for a check of all nodes. */
const allZones = 'zones';

interface Caches {
  readonly services: Lister<Service>;
  readonly pods: Lister<Pod>;
  readonly nodes: Lister<Node>;
  readonly slices: Lister<EndpointSlice>;
}

const serviceKeyOf = ({ metadata }: EndpointSlice): string =>
  `${metadata.namespace}/${metadata.labels?.[serviceNameLabel] ?? ''}`;

function wakeNode(
  name: string,
  services: Lister<Service>,
  pods: Lister<Pod>,
  wake: (key: string) => void,
): void {
  for (const service of services.list()) {
    if (podsOf(service, pods).some((pod) => pod.spec?.nodeName === name)) wake(objectKey(service));
  }
}

function sliceSync(
  context: ControllerContext,
  { services, pods, nodes, slices }: Caches,
  expected: ExpectedSlices,
  hints: TopologyHints,
) {
  const times = new TriggerTimeTracker();
  const metrics = new SliceMetrics(context.metrics);
  return async function syncService(key: string): Promise<number | void> {
    const service = services.byKey(key);
    if (service === undefined) {
      times.forget(key);
      metrics.forget(key);
      hints.forget(key);
      return expected.forget(key);
    }
    const { selector, type } = service.spec ?? {};
    if (selector === undefined || selector === null || type === 'ExternalName') return;
    if (service.metadata.deletionTimestamp !== undefined) return;
    const mine = slices
      .byIndex(serviceIndex, key)
      .filter(
        ({ metadata }) =>
          metadata.labels?.[managedByLabel] === managerName && metadata.deletionTimestamp === undefined,
      );
    if (expected.areStale(key, mine)) {
      metrics.ended('stale');
      return staleRetryMs;
    }
    const selected = podsOf(service, pods);
    const reported: HintEvent[] = [];
    const plan = planSlices(
      service,
      selected,
      (name) => nodes.get(name),
      mine,
      (type, part, existing) => {
        const hinted = wantsZoneHints(service)
          ? hints.apply(key, type, part, existing)
          : { plan: part, events: hints.withdraw(key, type) };
        reported.push(...hinted.events);
        return hinted.plan;
      },
    );
    for (const { type, reason, message } of reported) {
      context.events(eventSource).event(referenceTo(service, 'Service', 'v1'), type, reason, message);
    }
    context.observer?.note?.({
      pods: selected.length,
      create: plan.create.length,
      update: plan.update.length,
      remove: plan.remove.length,
    });
    const time = times.changed(service, selected);
    const { namespace } = splitObjectKey(key);
    const client = context.client.resource<EndpointSlice>(resources.endpointSlices).namespace(namespace);
    try {
      for (const slice of plan.create) expected.written(key, await client.create(withTime(slice, time)));
      for (const slice of plan.update) expected.written(key, await client.update(withTime(slice, time)));
      for (const slice of plan.remove) {
        await remove(client, slice);
        expected.removed(key, slice);
      }
      metrics.synced(key, service, mine, plan);
      metrics.ended('success');
    } catch (error) {
      metrics.ended('error');
      if (!isNamespaceTerminating(error)) throw error;
    }
  };
}

function withTime(slice: EndpointSlice, time: string | undefined): EndpointSlice {
  const { [lastChangeAnnotation]: _before, ...annotations } = slice.metadata.annotations ?? {};
  const changed = time === undefined ? annotations : { ...annotations, [lastChangeAnnotation]: time };
  return { ...slice, metadata: { ...slice.metadata, annotations: changed } };
}

async function remove(client: ResourceClient<EndpointSlice>, { metadata }: EndpointSlice): Promise<void> {
  await ignoring('NotFound', client.delete(metadata.name ?? ''));
}
