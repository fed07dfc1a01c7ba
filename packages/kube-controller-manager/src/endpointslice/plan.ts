/** Plans the slices of a service, and how to get there with the fewest writes. */

import { formatIp, parseIp, semanticDeepEqual } from '@coxswain/apimachinery';
import { EndpointPort as endpointPort } from '@coxswain/api/discovery/v1/endpoint.ts';
import type { EndpointSlice, Node, Pod, Service } from '../objects.ts';
import { inHashOrder } from '../pod-template-hash/deep-hash.ts';
import { controllerReference } from '../owners.ts';
import { isReady } from '../pods/pod-state.ts';
import type { AddressType, Endpoint, EndpointPort, SlicePlan } from './slice-plan.ts';
import { wantsZoneHints } from './topology-hints.ts';
import { hasEndpoint, headlessLabel, hostnameOf, isHeadless, targetPort } from '../services/service-pods.ts';

export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const managerName = 'endpointslice-controller.k8s.io';
const serviceKind = { apiVersion: 'v1', kind: 'Service' };

/** Slices are kept small so that a change of one endpoint causes only a small message. */
export const endpointsPerSliceMax = 100;

/** The address types of a service. */
export function addressTypes({ spec }: Service): AddressType[] {
  const families = (spec?.ipFamilies ?? []).filter(
    (family): family is AddressType => family === 'IPv4' || family === 'IPv6',
  );
  if (families.length > 0) return families;
  if (spec?.clusterIP && spec.clusterIP !== 'None') return [spec.clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
  return ['IPv4', 'IPv6'];
}

/** @param finish completes the plan of each address type, given its existing slices */
export function planSlices(
  service: Service,
  pods: readonly Pod[],
  nodeOf: (name: string) => Node | undefined,
  existing: readonly EndpointSlice[],
  finish: (type: AddressType, plan: SlicePlan, existing: readonly EndpointSlice[]) => SlicePlan = (_, plan) =>
    plan,
): SlicePlan {
  const plan: SlicePlan = { create: [], update: [], remove: [] };
  const types = addressTypes(service);
  plan.remove.push(...existing.filter((slice) => !types.includes(slice.addressType as AddressType)));
  for (const type of types) {
    const ofType = existing.filter((slice) => slice.addressType === type);
    const part = finish(type, planType(service, type, groups(service, pods, nodeOf, type), ofType), ofType);
    plan.create.push(...part.create);
    plan.update.push(...part.update);
    plan.remove.push(...part.remove);
  }
  return plan;
}

interface Group {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

/** Groups pods whose ports have the same numbers. */
function groups(
  service: Service,
  pods: readonly Pod[],
  nodeOf: (name: string) => Node | undefined,
  type: AddressType,
) {
  const byPorts = new Map<string, Group>();
  for (const pod of pods) {
    if (!hasEndpoint(pod, true)) continue;
    const ports = portsOf(service, pod);
    const key = portsKey(ports);
    let group = byPorts.get(key);
    if (group === undefined)
      byPorts.set(key, (group = { ports: inHashOrder(endpointPort, ports), endpoints: new Map() }));
    const node = nodeOf(pod.spec?.nodeName ?? '');
    if (node === undefined && !service.spec?.publishNotReadyAddresses) continue;
    const endpoint = endpointOf(service, pod, node, type);
    if (endpoint.addresses.length > 0) group.endpoints.set(endpointKey(endpoint), endpoint);
  }
  return byPorts;
}

function planType(
  service: Service,
  type: AddressType,
  wanted: Map<string, Group>,
  existing: readonly EndpointSlice[],
): SlicePlan {
  const plan: SlicePlan = { create: [], update: [], remove: [] };
  const byPorts = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    if (!isOwned(slice, service)) {
      plan.remove.push(slice);
      continue;
    }
    const key = portsKey(slice.ports ?? []);
    byPorts.set(key, [...(byPorts.get(key) ?? []), slice]);
  }
  for (const [key, group] of wanted) planGroup(service, type, group, byPorts.get(key) ?? [], plan);
  for (const [key, slices] of byPorts) if (!wanted.has(key)) plan.remove.push(...slices);
  if (existing.length === plan.remove.length && plan.create.length === 0)
    keepPlaceholder(service, type, plan);
  return reuseNames(service, plan);
}

/** A service without endpoints has one empty slice. */
function keepPlaceholder(service: Service, type: AddressType, plan: SlicePlan): void {
  const placeholder = newSlice(service, type, []);
  const [only, ...more] = plan.remove;
  const isThere =
    only !== undefined &&
    more.length === 0 &&
    isOwned(only, service) &&
    (only.ports ?? []).length === 0 &&
    (only.endpoints ?? []).length === 0 &&
    semanticDeepEqual(only.metadata.labels, placeholder.metadata.labels);
  if (isThere) plan.remove.length = 0;
  else plan.create.push(placeholder);
}

function planGroup(
  service: Service,
  type: AddressType,
  group: Group,
  existing: readonly EndpointSlice[],
  plan: SlicePlan,
): void {
  const missing = new Map(group.endpoints);
  const updated: EndpointSlice[] = [];
  const unchanged: EndpointSlice[] = [];
  for (const slice of existing) {
    const kept: Endpoint[] = [];
    let changed = false;
    for (const endpoint of slice.endpoints ?? []) {
      const key = endpointKey(endpoint);
      const wanted = missing.get(key);
      if (wanted === undefined) continue;
      missing.delete(key);
      kept.push(wanted);
      if (
        !semanticDeepEqual(withoutHints(wanted), withoutHints(endpoint)) ||
        // Hints of topology-mode are added later, to endpoints that change.
        (!wantsZoneHints(service) && !semanticDeepEqual(wanted.hints, endpoint.hints))
      )
        changed = true;
    }
    const removed = kept.length !== (slice.endpoints ?? []).length;
    const labels = sliceLabels(service);
    const relabeled = !semanticDeepEqual(slice.metadata.labels, labels);
    if (removed && kept.length === 0) plan.remove.push(slice);
    else if (changed || removed || relabeled)
      updated.push({ ...slice, metadata: { ...slice.metadata, labels }, endpoints: kept });
    else unchanged.push(slice);
  }
  const filled = fill([...missing.values()], updated, unchanged);
  plan.update.push(...filled.updated);
  for (let start = 0; start < filled.rest.length; start += endpointsPerSliceMax) {
    const slice = newSlice(service, type, group.ports);
    plan.create.push({ ...slice, endpoints: filled.rest.slice(start, start + endpointsPerSliceMax) });
  }
}

/** Adds new endpoints to slices that are written anyway, then to the slice that they fill best. */
function fill(
  missing: readonly Endpoint[],
  updated: readonly EndpointSlice[],
  unchanged: readonly EndpointSlice[],
) {
  let rest = missing;
  const result = [...updated]
    .sort((a, b) => b.endpoints.length - a.endpoints.length)
    .map((slice) => {
      const room = endpointsPerSliceMax - slice.endpoints.length;
      const added = rest.slice(0, room);
      rest = rest.slice(room);
      return added.length === 0 ? slice : { ...slice, endpoints: [...slice.endpoints, ...added] };
    });
  if (rest.length > 0 && rest.length < endpointsPerSliceMax) {
    const fitting = unchanged
      .filter((slice) => (slice.endpoints ?? []).length + rest.length <= endpointsPerSliceMax)
      .sort((a, b) => (b.endpoints ?? []).length - (a.endpoints ?? []).length)[0];
    if (fitting !== undefined) {
      result.push({ ...fitting, endpoints: [...(fitting.endpoints ?? []), ...rest] });
      rest = [];
    }
  }
  return { updated: result, rest };
}

/** Instead of deleting one slice and creating another, updates the existing one. */
function reuseNames(service: Service, plan: SlicePlan): SlicePlan {
  const remove: EndpointSlice[] = [];
  const create = [...plan.create];
  const update = [...plan.update];
  for (const old of plan.remove) {
    const replacement = create.at(-1);
    if (replacement === undefined || !isOwned(old, service)) {
      remove.push(old);
      continue;
    }
    create.pop();
    const { labels, ownerReferences } = replacement.metadata;
    update.push({
      ...old,
      ...replacement,
      metadata: {
        ...old.metadata,
        ...(labels ? { labels } : {}),
        ...(ownerReferences ? { ownerReferences } : {}),
      },
    });
  }
  return { create, update, remove };
}

function portsOf(service: Service, pod: Pod): EndpointPort[] {
  const ports: EndpointPort[] = [];
  for (const port of service.spec?.ports ?? []) {
    const number = targetPort(pod, port);
    if (number === undefined) continue;
    ports.push({
      name: port.name ?? '',
      port: number,
      ...(port.protocol === undefined ? {} : { protocol: port.protocol }),
      ...(port.appProtocol === undefined ? {} : { appProtocol: port.appProtocol }),
    });
  }
  return ports;
}

function endpointOf(service: Service, pod: Pod, node: Node | undefined, type: AddressType): Endpoint {
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone'];
  const hostname = hostnameOf(pod, service);
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  const hints = hintsOf(service, zone, pod.spec?.nodeName, ready);
  return {
    addresses: addressesOf(pod, type),
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    ...(zone ? { zone } : {}),
    ...(hints === undefined ? {} : { hints }),
  };
}

/** With a traffic distribution preference, an endpoint is hinted to the zone or node that it is in. */
function hintsOf(
  service: Service,
  zone: string | undefined,
  node: string | undefined,
  ready: boolean,
): Endpoint['hints'] {
  const { trafficDistribution } = service.spec ?? {};
  if (!ready || !zone || wantsZoneHints(service)) return undefined;
  if (trafficDistribution === 'PreferSameNode' && node)
    return { forZones: [{ name: zone }], forNodes: [{ name: node }] };
  if (trafficDistribution === 'PreferClose' || trafficDistribution === 'PreferSameZone')
    return { forZones: [{ name: zone }] };
  return undefined;
}

function addressesOf(pod: Pod, type: AddressType): string[] {
  const addresses: string[] = [];
  for (const { ip } of pod.status?.podIPs ?? []) {
    const parsed = parseIp(ip ?? '');
    if (parsed !== undefined && (parsed.version === 6) === (type === 'IPv6'))
      addresses.push(formatIp(parsed));
  }
  return addresses;
}

function newSlice(service: Service, type: AddressType, ports: readonly EndpointPort[]): EndpointSlice {
  const { name = '', namespace = '' } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: sliceLabels(service),
      ownerReferences: [controllerReference(serviceKind, service)],
    },
    addressType: type,
    endpoints: [],
    ports: [...ports],
  } as EndpointSlice;
}

function sliceLabels(service: Service): Record<string, string> {
  const {
    [headlessLabel]: _h,
    [serviceNameLabel]: _n,
    [managedByLabel]: _m,
    ...labels
  } = service.metadata.labels ?? {};
  return {
    ...labels,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceNameLabel]: service.metadata.name ?? '',
    [managedByLabel]: managerName,
  };
}

const isOwned = (slice: EndpointSlice, service: Service): boolean =>
  slice.metadata.ownerReferences?.some(
    (owner) => owner.uid === service.metadata.uid && owner.kind === 'Service',
  ) ?? false;

const withoutHints = ({ hints: _hints, ...endpoint }: Endpoint) => endpoint;

export const endpointKey = (endpoint: Endpoint): string =>
  `${[...endpoint.addresses].sort().join()}|${endpoint.hostname ?? ''}|${endpoint.nodeName ?? ''}|${endpoint.targetRef?.uid ?? ''}`;

export const portsKey = (ports: readonly EndpointPort[]): string =>
  ports
    .map(({ name, port, protocol, appProtocol }) =>
      JSON.stringify([name ?? '', port, protocol ?? '', appProtocol ?? '']),
    )
    .sort()
    .join();
