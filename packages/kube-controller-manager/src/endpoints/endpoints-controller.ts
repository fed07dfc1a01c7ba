/** Maintains the Endpoints of each service, for clients that do not read EndpointSlices. */

import { formatIp, ignoring, parseIp, semanticDeepEqual } from '@coxswain/apimachinery';
import { objectKey, splitObjectKey, type Lister } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type Endpoints, type Pod, type Service } from '../objects.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { isReady } from '../pods/pod-state.ts';
import { startReconciler } from '../reconciler.ts';
import {
  TriggerTimeTracker,
  hasEndpoint,
  headlessLabel,
  hostnameOf,
  isHeadless,
  lastChangeAnnotation,
  podsOf,
  targetPort,
  watchServicePods,
} from '../services/service-pods.ts';
import { packSubsets, type Address, type Endpoint, type Port, type Subset } from './subsets.ts';

const managedByLabel = 'endpoints.kubernetes.io/managed-by';
const managerName = 'endpoint-controller';
const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity';
/** Larger objects would be too expensive to send on every change; slices contain the rest. */
const addressesMax = 1000;
const retriesMax = 15;

export const endpointsController: Controller = {
  name: 'endpoints-controller',
  aliases: ['endpoint', 'endpoints'],
  serviceAccount: 'endpoint-controller',
  start(context) {
    const services = context.informers.informer<Service>(resources.services);
    const pods = context.informers.informer<Pod>(resources.pods);
    const endpoints = context.informers.informer<Endpoints>(resources.endpoints);
    const reconciler = startReconciler(context, {
      queueName: 'endpoint',
      retriesMax,
      ready: () => Promise.all([services, pods, endpoints].map(({ synced }) => synced)),
      reconcile: endpointsSync(context, services.lister, pods.lister, endpoints.lister),
    });
    watchServicePods(services, pods, reconciler.add);
    endpoints.addHandler({ deleted: (gone) => reconciler.add(objectKey(gone)) });
  },
};

function endpointsSync(
  context: ControllerContext,
  services: Lister<Service>,
  pods: Lister<Pod>,
  endpoints: Lister<Endpoints>,
) {
  const times = new TriggerTimeTracker();
  return async function syncService(key: string): Promise<void> {
    const { namespace, name } = splitObjectKey(key);
    const client = context.client.resource<Endpoints>(resources.endpoints).namespace(namespace);
    const service = services.byKey(key);
    const current = endpoints.byKey(key);
    if (service === undefined) {
      times.forget(key);
      if (current !== undefined) await gone(client.delete(name));
      return;
    }
    const { selector, type } = service.spec ?? {};
    if (type === 'ExternalName' || selector === undefined || selector === null) return;
    const selected = podsOf(service, pods);
    const time = times.changed(service, selected);
    const { subsets, truncated } = truncate(subsetsOf(service, selected));
    const labels = labelsOf(service);
    const isCurrent =
      current !== undefined &&
      semanticDeepEqual(current.subsets, subsets) &&
      semanticDeepEqual(current.metadata.labels, labels) &&
      (current.metadata.annotations?.[overCapacityAnnotation] === 'truncated') === truncated;
    if (isCurrent) return;
    const {
      [lastChangeAnnotation]: _t,
      [overCapacityAnnotation]: _c,
      ...kept
    } = current?.metadata.annotations ?? {};
    const annotations = {
      ...kept,
      ...(time === undefined ? {} : { [lastChangeAnnotation]: time }),
      ...(truncated ? { [overCapacityAnnotation]: 'truncated' } : {}),
    };
    const metadata = { ...(current?.metadata ?? { name, namespace }), labels, annotations };
    const wanted = { ...current, apiVersion: 'v1', kind: 'Endpoints', metadata, subsets } as Endpoints;
    try {
      await (current === undefined ? client.create(wanted) : client.update(wanted));
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  };
}

function labelsOf(service: Service): Record<string, string> {
  const { [headlessLabel]: _headless, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [managedByLabel]: managerName,
  };
}

function subsetsOf(service: Service, pods: readonly Pod[]): Subset[] {
  const always = service.spec?.publishNotReadyAddresses === true;
  const endpoints: Endpoint[] = [];
  for (const pod of pods) {
    if (!hasEndpoint(pod, always)) continue;
    const address = addressOf(service, pod);
    if (address === undefined) continue;
    const ports = portsOf(service, pod);
    if (ports.length === 0 && (service.spec?.ports?.length || service.spec?.clusterIP !== 'None')) continue;
    endpoints.push({ address, isReady: always || isReady(pod), ports });
  }
  return packSubsets(endpoints);
}

function addressOf(service: Service, pod: Pod): Address | undefined {
  const family = service.spec?.ipFamilies?.[0] ?? (service.spec?.clusterIP?.includes(':') ? 'IPv6' : 'IPv4');
  const ips = pod.status?.podIPs?.map(({ ip }) => ip ?? '') ?? [pod.status?.podIP ?? ''];
  const parsed = ips
    .map(parseIp)
    .find((address) => address !== undefined && (address.version === 6) === (family === 'IPv6'));
  if (parsed === undefined) return undefined;
  const hostname = hostnameOf(pod, service);
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  return {
    ip: formatIp(parsed),
    ...(hostname === undefined ? {} : { hostname }),
    ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

function portsOf(service: Service, pod: Pod): Port[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const number = targetPort(pod, port);
    if (number === undefined) return [];
    return [
      {
        ...(port.name ? { name: port.name } : {}),
        port: number,
        ...(port.protocol === undefined ? {} : { protocol: port.protocol }),
        ...(port.appProtocol === undefined ? {} : { appProtocol: port.appProtocol }),
      },
    ];
  });
}

/** Keeps ready addresses in preference to others. */
function truncate(subsets: readonly Subset[]): { subsets: Subset[]; truncated: boolean } {
  const count = (of: (subset: Subset) => number) => subsets.reduce((sum, subset) => sum + of(subset), 0);
  const ready = count((subset) => subset.addresses?.length ?? 0);
  const notReady = count((subset) => subset.notReadyAddresses?.length ?? 0);
  if (ready + notReady <= addressesMax) return { subsets: [...subsets], truncated: false };
  let readyLeft = addressesMax;
  let notReadyLeft = Math.max(0, addressesMax - ready);
  const cut = subsets.map((subset) => {
    const addresses = subset.addresses?.slice(0, readyLeft) ?? [];
    const notReadyAddresses = subset.notReadyAddresses?.slice(0, notReadyLeft) ?? [];
    readyLeft -= addresses.length;
    notReadyLeft -= notReadyAddresses.length;
    const { addresses: _a, notReadyAddresses: _n, ...rest } = subset;
    return {
      ...(addresses.length === 0 ? {} : { addresses }),
      ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
      ...rest,
    };
  });
  return { subsets: cut, truncated: true };
}

async function gone(deleting: Promise<unknown>): Promise<void> {
  await ignoring('NotFound', deleting);
}
