/** Counts the resources that a write uses, and refuses it if it would exceed a quota of the namespace. */
import {
  addQuantities,
  compareQuantities,
  formatGroupResource,
  formatQuantity,
  isZeroQuantity,
  parseQuantity,
  subtractQuantities,
  zeroQuantity,
  type StepObserver,
} from '@coxswain/apimachinery';
import type { Quantity } from '@coxswain/schema/scalars/quantity.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ResourceQuota } from '@coxswain/api/core/v1/resource-quota.ts';
import { groupResourceOf, on, refused } from '../attributes.ts';
import type { LimitedResource } from '../configuration/limited-resources.ts';
import { checkCovered } from '../limited-resources.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';
import type { Totals } from '@coxswain/api/core/v1/pod/pod-totals.ts';
import { scopesMatch } from '@coxswain/api/quota/quota-scopes.ts';
import { podOwning, type DeviceQuota } from '@coxswain/api/quota/device-quota.ts';
import type { DeviceClass } from '@coxswain/api/resource/v1/device-class.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import {
  countsFor,
  deviceQuotaOf,
  isClaimOfDevices,
  unstatedResources,
  usageMayChange,
  usageOf,
} from '@coxswain/api/quota/quota-usage.ts';

export interface QuotaAccessor {
  /**
   * Updates `status.used` of a stored quota, calling `change` again after a conflicting write. An error of `change`
   * refuses the write; undefined leaves the quota unchanged.
   */
  updateUsed(
    namespace: string,
    name: string,
    change: (quota: ResourceQuota) => Readonly<Record<string, string>> | undefined,
    observer?: StepObserver,
  ): Promise<void>;
}

export const resourceQuota = (
  objects: ObjectReader,
  accessor: QuotaAccessor,
  limited: readonly LimitedResource[] = [],
  areExtended = true,
): AdmissionPlugin => ({
  name: 'ResourceQuota',
  handles: on('CREATE', 'UPDATE'),
  concerns: (attributes) => attributes.namespace !== '' && isCounted(attributes),
  async validate(attributes) {
    const quotas = await objects.list<ResourceQuota>(resources.resourceQuotas, attributes.namespace);
    if (quotas.length === 0 && limited.length === 0) return;
    const { resource } = attributes.resource;
    const matching = quotas.filter((quota) => scopesMatch(quota, resource, attributes.object!));
    const devices = await devicesFor(attributes, objects, areExtended);
    for (const quota of matching) {
      checkStated(attributes, quota);
      checkKnown(attributes, quota, devices);
    }
    const usage = usageOf(groupResourceOf(attributes), attributes.object!, devices);
    const further = furtherUsage(attributes, usage, devices);
    const charges = matching.map((quota) => ({
      name: quota.metadata.name!,
      quota,
      added: wasCounted(attributes, quota) ? further : usage,
    }));
    const isCharged = charges.some(({ added }) => added.size > 0);
    if (matching.length > 0 ? !isCharged : further.size === 0) return;
    checkCovered(attributes, limited, quotas, matching, usage);
    const uses = charges.map(({ name, quota, added }) => [name, newUse(attributes, quota, added)] as const);
    attributes.observer?.note?.({ used: Object.fromEntries(uses.filter(([, used]) => used !== undefined)) });
    if (attributes.dryRun) return;
    for (const { name, added } of charges) {
      const change = (quota: ResourceQuota) => newUse(attributes, quota, added);
      await accessor.updateUsed(attributes.namespace, name, change, attributes.observer);
    }
  },
});

/** Not counted by any quota: reviews and bindings are not stored, and events must not be delayed. */
const uncounted: ReadonlySet<string> = new Set([
  'bindings',
  'events',
  'events.events.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
]);

function isCounted(attributes: AdmissionAttributes): boolean {
  const { operation, subresource, object, oldObject } = attributes;
  if (object === undefined || uncounted.has(formatGroupResource(groupResourceOf(attributes)))) return false;
  return operation === 'CREATE' || oldObject === undefined
    ? subresource === ''
    : usageMayChange(groupResourceOf(attributes), subresource, object, oldObject);
}

/** Only claims of devices depend on other objects to be counted. */
async function devicesFor(
  attributes: AdmissionAttributes,
  objects: ObjectReader,
  areExtended: boolean,
): Promise<DeviceQuota | undefined> {
  if (!areExtended || !isClaimOfDevices(groupResourceOf(attributes))) return undefined;
  const { namespace } = attributes;
  const claim = attributes.object as unknown as ResourceClaim;
  const owner = podOwning(claim);
  const pod = owner && (await objects.get<Pod>(resources.pods, namespace, owner.name));
  const claims =
    pod === undefined ? [] : await objects.list<ResourceClaim>(resources.resourceClaims, namespace);
  const classes = await objects.list<DeviceClass>(resources.deviceClasses, '');
  return deviceQuotaOf({ classes, pod: () => pod, claims: () => claims });
}

/** The additional usage of an update. Freed usage is left to the resource quota controller. */
function furtherUsage(
  attributes: AdmissionAttributes,
  usage: Totals,
  devices: DeviceQuota | undefined,
): Totals {
  if (attributes.operation !== 'UPDATE' || attributes.oldObject === undefined) return usage;
  const before = usageOf(groupResourceOf(attributes), attributes.oldObject, devices);
  const added = [...usage].map(
    ([name, quantity]) => [name, subtractQuantities(quantity, before.get(name) ?? zeroQuantity)] as const,
  );
  return new Map(added.filter(([, quantity]) => compareQuantities(quantity, zeroQuantity) > 0));
}

/** If an update moves the object into a quota's scope, the quota counts all of it. */
const wasCounted = (
  { operation, oldObject, resource: { resource } }: AdmissionAttributes,
  quota: ResourceQuota,
): boolean => operation === 'UPDATE' && oldObject !== undefined && scopesMatch(quota, resource, oldObject);

function checkStated(attributes: AdmissionAttributes, quota: ResourceQuota): void {
  if (attributes.resource.resource !== 'pods' || attributes.resource.group !== '') return;
  const problem = unstatedResources(
    attributes.object as unknown as Pod,
    Object.keys(quota.status?.hard ?? {}),
  );
  if (problem !== undefined) throw refused(attributes, `failed quota: ${quota.metadata.name}: ${problem}`);
}

/** Refuses the write until the usage of a newly limited resource has been computed. */
function checkKnown(
  attributes: AdmissionAttributes,
  { metadata, status }: ResourceQuota,
  devices: DeviceQuota | undefined,
): void {
  const { hard = {}, used = {} } = status ?? {};
  const resource = groupResourceOf(attributes);
  const names = Object.keys(hard).filter((name) => countsFor(resource, name, devices));
  if (names.every((name) => used[name] !== undefined)) return;
  throw refused(
    attributes,
    `status unknown for quota: ${metadata.name}, resources: ${names.sort().join(',')}`,
  );
}

/** The usage after the write; undefined when the quota doesn't apply. @throws Forbidden when exceeded */
function newUse(
  attributes: AdmissionAttributes,
  quota: ResourceQuota,
  added: Totals,
): Readonly<Record<string, string>> | undefined {
  const { hard = {}, used = {} } = quota.status ?? {};
  const concerned = [...added].filter(
    ([name, quantity]) => hard[name] !== undefined && !isZeroQuantity(quantity),
  );
  if (concerned.length === 0) return undefined;
  const usedBefore = (name: string): Quantity =>
    used[name] === undefined ? zeroQuantity : parseQuantity(used[name]);
  const after = concerned.map(
    ([name, quantity]) => [name, addQuantities(usedBefore(name), quantity)] as const,
  );
  const exceeded = after.filter(
    ([name, quantity]) => compareQuantities(quantity, parseQuantity(hard[name]!)) > 0,
  );
  // A claim's status reports what has already happened.
  if (exceeded.length > 0 && attributes.subresource !== 'status') {
    const names = exceeded.map(([name]) => name).sort();
    const shown = (valueOf: (name: string) => string) =>
      names.map((name) => `${name}=${valueOf(name)}`).join(',');
    throw refused(
      attributes,
      `exceeded quota: ${quota.metadata.name}, requested: ${shown((name) => formatQuantity(added.get(name)!))}, ` +
        `used: ${shown((name) => formatQuantity(usedBefore(name)))}, limited: ${shown((name) => hard[name]!)}`,
    );
  }
  return {
    ...used,
    ...Object.fromEntries(after.map(([name, quantity]) => [name, formatQuantity(quantity)])),
  };
}
