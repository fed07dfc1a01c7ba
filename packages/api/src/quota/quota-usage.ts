/** An object's usage of quota, by quota names. */
import {
  compareQuantities,
  formatGroupResource,
  parseQuantity,
  quantityOf,
  roundUpQuantity,
  type GroupResource,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { Quantity } from '@coxswain/schema/scalars/quantity.ts';
import type { PersistentVolumeClaim } from '../core/v1/persistent-volume-claim.ts';
import type { Pod } from '../core/v1/pod.ts';
import type { ResourceClaim } from '../resource/v1/resource-claim.ts';
import { deviceQuota, isExtendedInQuota, type DeviceObjects, type DeviceQuota } from './device-quota.ts';
import { isPodLevelResource } from '../core/v1/resource-list.ts';
import { isBounded } from './quota-scopes.ts';
import type { Service } from '../core/v1/service.ts';
import { podTotals, totalsOf, type Totals } from '../core/v1/pod/pod-totals.ts';

const one = quantityOf(1);

/** Kinds with a quota name of their own besides `count/<resource>`. */
const plainlyCounted: ReadonlySet<string> = new Set([
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
]);

/** @param devices computes the extended resources of device claims; without it they use none */
export function usageOf(resource: GroupResource, object: KubeObject, devices?: DeviceQuota): Totals {
  const usage: Totals = new Map([[`count/${formatGroupResource(resource)}`, one]]);
  if (isClaimOfDevices(resource)) addDevices(usage, object as unknown as ResourceClaim, devices);
  if (resource.group !== '') return usage;
  switch (resource.resource) {
    case 'pods':
      addPod(usage, object as unknown as Pod);
      break;
    case 'services':
      addService(usage, object as unknown as Service);
      break;
    case 'persistentvolumeclaims':
      addClaim(usage, object as unknown as PersistentVolumeClaim);
      break;
    default:
      if (plainlyCounted.has(resource.resource)) usage.set(resource.resource, one);
  }
  return usage;
}

const computeNames = ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [
  name,
  `requests.${name}`,
  `limits.${name}`,
]);
const ofPods: ReadonlySet<string> = new Set(['pods', ...computeNames]);
const ofServices: ReadonlySet<string> = new Set(['services', 'services.nodeports', 'services.loadbalancers']);
const ofClaims = /^(?:.+\.storageclass\.storage\.k8s\.io\/)?(?:persistentvolumeclaims|requests\.storage)$/;
const hugepages = /^(?:requests\.)?hugepages-/;

/** Whether a quota name is for objects of this kind. */
export function countsFor({ group, resource }: GroupResource, name: string, devices?: DeviceQuota): boolean {
  if (name === `count/${formatGroupResource({ group, resource })}`) return true;
  if (isClaimOfDevices({ group, resource }))
    return name.endsWith(ofDeviceClass) || (devices?.countsFor(name) ?? false);
  if (group !== '') return false;
  switch (resource) {
    case 'pods':
      return ofPods.has(name) || hugepages.test(name) || isExtendedInQuota(name);
    case 'services':
      return ofServices.has(name);
    case 'persistentvolumeclaims':
      return ofClaims.test(name);
    default:
      return plainlyCounted.has(resource) && name === resource;
  }
}

/** Whether an update can change the usage, or the quotas that count the object. */
export function usageMayChange(
  resource: GroupResource,
  subresource: string,
  object: KubeObject,
  old: KubeObject,
): boolean {
  if (isClaimOfDevices(resource)) return subresource === '';
  if (resource.group !== '') return false;
  switch (resource.resource) {
    case 'services':
      return subresource === '';
    case 'persistentvolumeclaims':
      return subresource === '' || subresource === 'status';
    case 'pods':
      return subresource === 'resize' || (subresource === '' && isPodBounded(object) !== isPodBounded(old));
    default:
      return false;
  }
}

const isPodBounded = (pod: KubeObject): boolean => isBounded((pod as unknown as Pod).spec);

/** A finished pod uses only its place in storage. */
function addPod(usage: Totals, pod: Pod): void {
  if (pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded') return;
  usage.set('pods', one);
  addCompute(
    usage,
    podTotals(pod, 'requests', { withOverhead: true }),
    podTotals(pod, 'limits', { withOverhead: true }),
  );
}

/** Names that mean requests if they have no prefix. */
const unprefixed: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

export function addCompute(usage: Totals, requests: Totals, limits: Totals): void {
  for (const [name, quantity] of requests) {
    if (unprefixed.has(name) || name.startsWith('hugepages-')) usage.set(name, quantity);
    usage.set(`requests.${name}`, quantity);
  }
  for (const [name, quantity] of limits) if (unprefixed.has(name)) usage.set(`limits.${name}`, quantity);
}

function addService(usage: Totals, { spec }: Service): void {
  const ports = spec.ports ?? [];
  usage.set('services', one);
  usage.set('services.loadbalancers', quantityOf(spec.type === 'LoadBalancer' ? 1 : 0));
  usage.set('services.nodeports', quantityOf(nodePortsUsed(spec, ports)));
}

function nodePortsUsed(spec: Service['spec'], ports: readonly { readonly nodePort?: number }[]): number {
  if (spec.type === 'NodePort') return ports.length;
  if (spec.type !== 'LoadBalancer') return 0;
  if (spec.allocateLoadBalancerNodePorts ?? true) return ports.length;
  return ports.filter(({ nodePort }) => nodePort).length;
}

const largerQuantity = (a: Quantity, b: Quantity): Quantity => (compareQuantities(a, b) >= 0 ? a : b);

/** A claim that is being expanded uses its allocated size until that is reduced. */
function addClaim(usage: Totals, { metadata, spec, status }: PersistentVolumeClaim): void {
  const className =
    metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? '';
  const ofClass = `${className}.storageclass.storage.k8s.io`;
  usage.set('persistentvolumeclaims', one);
  if (className !== '') usage.set(`${ofClass}/persistentvolumeclaims`, one);
  const asked = spec.resources?.requests?.storage;
  if (asked === undefined) return;
  const storage = roundUpQuantity(
    largerQuantity(parseQuantity(asked), parseQuantity(status?.allocatedResources?.storage ?? '0')),
    0,
  );
  usage.set('requests.storage', storage);
  if (className !== '') usage.set(`${ofClass}/requests.storage`, storage);
}

export const isClaimOfDevices = ({ group, resource }: GroupResource): boolean =>
  group === 'resource.k8s.io' && resource === 'resourceclaims';
const ofDeviceClass = '.deviceclass.resource.k8s.io/devices';
/** The maximum number of devices of a claim that requests all devices. */
const allDevicesMax = 32;

/** Each request counts for its class; of alternatives, the maximum for each class. */
function addDevices(usage: Totals, claim: ResourceClaim, devices: DeviceQuota | undefined): void {
  const counts = new Map<string, number>();
  for (const { exactly, firstAvailable = [] } of claim.spec.devices?.requests ?? []) {
    const ofRequest = new Map<string, number>();
    for (const one of exactly ? [exactly] : firstAvailable) {
      const name = one.deviceClassName;
      ofRequest.set(name, Math.max(ofRequest.get(name) ?? 0, devicesAsked(one)));
    }
    for (const [name, count] of ofRequest) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  for (const [name, count] of counts) usage.set(`${name}${ofDeviceClass}`, quantityOf(count));
  for (const [name, quantity] of devices?.usageOf(claim, counts) ?? []) usage.set(name, quantity);
}

function devicesAsked({
  allocationMode,
  count,
}: {
  allocationMode?: string;
  count?: number | bigint;
}): number {
  if (allocationMode === 'All') return allDevicesMax;
  return allocationMode === 'ExactCount' ? Number(count ?? 0) : 0;
}

/** The usage of extended resources by device claims. */
export const deviceQuotaOf = (objects: DeviceObjects): DeviceQuota =>
  deviceQuota(objects, (pod) => usageOf({ group: '', resource: 'pods' }, pod as unknown as KubeObject));

const mustBeStated = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** A quota on compute resources requires every container to state them, unless the pod itself states any. */
export function unstatedResources({ spec }: Pod, hard: readonly string[]): string | undefined {
  const ofPod = { ...spec.resources?.requests, ...spec.resources?.limits };
  if (Object.keys(ofPod).some(isPodLevelResource)) return undefined;
  const required = mustBeStated.filter((name) => hard.includes(name));
  const missing = new Map<string, Set<string>>();
  for (const { name, resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const stated: Totals = new Map();
    addCompute(stated, totalsOf(resources?.requests), totalsOf(resources?.limits));
    for (const resource of required) {
      if (!stated.has(resource)) missing.set(resource, (missing.get(resource) ?? new Set()).add(name));
    }
  }
  if (missing.size === 0) return undefined;
  const parts = [...missing].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `must specify ${parts.map(([name, containers]) => `${name} for: ${[...containers].sort().join(',')}`).join('; ')}`;
}
