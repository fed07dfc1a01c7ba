/** Computes a quota's status from the objects in its namespace. */

import {
  addQuantities,
  compareQuantities,
  formatGroupResource,
  formatQuantity,
  parseQuantity,
  zeroQuantity,
  type GroupResource,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { Quantity } from '@coxswain/schema/scalars/quantity.ts';
import type { ResourceQuota as ResourceQuotaShape } from '@coxswain/api/core/v1/resource-quota.ts';
import { scopesMatch } from '@coxswain/api/quota/quota-scopes.ts';
import type { DeviceQuota } from '@coxswain/api/quota/device-quota.ts';
import { isClaimOfDevices, usageOf } from '@coxswain/api/quota/quota-usage.ts';
import type { ResourceQuota } from '../objects.ts';
import { countedResource, deviceClaims } from './counted-resource.ts';

export interface QuotaStatus {
  readonly hard: Readonly<Record<string, string>>;
  readonly used: Readonly<Record<string, string>>;
}

/** Returns the kinds to count; extended resources are counted from pods, and from device claims. */
export function countedResources(quota: ResourceQuota, devices?: DeviceQuota): GroupResource[] {
  const found = new Map<string, GroupResource>();
  for (const name of Object.keys(quota.spec?.hard ?? {})) {
    const resource = countedResource(name);
    if (resource !== undefined) found.set(formatGroupResource(resource), resource);
    if (devices?.countsFor(name)) found.set(formatGroupResource(deviceClaims), deviceClaims);
  }
  return [...found.values()];
}

/**
 * @param objectsOf returns the objects in the quota's namespace; for a kind that is currently unavailable it returns
 * undefined, and the former count is kept
 */
export function quotaStatus(
  quota: ResourceQuota,
  objectsOf: (resource: GroupResource) => readonly KubeObject[] | undefined,
  devices?: DeviceQuota,
): QuotaStatus {
  const hard = quota.spec?.hard ?? {};
  const before = quota.status?.used ?? {};
  const used: Record<string, string> = {};
  for (const name of Object.keys(hard)) if (before[name] !== undefined) used[name] = before[name];
  const counted = new Map<string, Quantity>();
  for (const resource of countedResources(quota, devices)) {
    const objects = objectsOf(resource);
    if (objects === undefined) continue;
    for (const [name, total] of usedOf(quota, resource, objects, devices))
      counted.set(name, addQuantities(counted.get(name) ?? zeroQuantity, total));
  }
  for (const [name, total] of counted) used[name] = formatQuantity(total);
  return { hard, used };
}

function usedOf(
  quota: ResourceQuota,
  resource: GroupResource,
  objects: readonly KubeObject[],
  devices: DeviceQuota | undefined,
): Map<string, Quantity> {
  const key = formatGroupResource(resource);
  const names = Object.keys(quota.spec?.hard ?? {}).filter((name) => {
    const counted = countedResource(name);
    if (counted !== undefined && formatGroupResource(counted) === key) return true;
    return isClaimOfDevices(resource) && (devices?.countsFor(name) ?? false);
  });
  const totals = new Map(names.map((name) => [name, zeroQuantity]));
  for (const object of objects) {
    if (!scopesMatch(quota as unknown as ResourceQuotaShape, resource.resource, object)) continue;
    for (const [name, quantity] of usageOf(resource, object, devices)) {
      const total = totals.get(name);
      if (total !== undefined) totals.set(name, addQuantities(total, quantity));
    }
  }
  return totals;
}

export function sameStatus(quota: ResourceQuota, status: QuotaStatus): boolean {
  const { hard, used } = quota.status ?? {};
  return (
    hard !== undefined &&
    used !== undefined &&
    sameAmounts(hard, status.hard) &&
    sameAmounts(used, status.used)
  );
}

/** Whether less of a resource is used than the quota's status states. */
export const usesLess = ({ used }: QuotaStatus, { status }: ResourceQuota): boolean =>
  Object.entries(status?.used ?? {}).some(
    ([name, before]) =>
      used[name] !== undefined && compareQuantities(parseQuantity(used[name]), parseQuantity(before)) < 0,
  );

type Amounts = Readonly<Record<string, string>>;

/** Compares by value: `1000m` equals `1`. */
export const sameAmounts = (a: Amounts = {}, b: Amounts = {}): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(
    ([name, amount]) =>
      b[name] !== undefined && compareQuantities(parseQuantity(amount), parseQuantity(b[name])) === 0,
  );
