/** Validates cluster IPs of services: one, or one of each family, and immutable once allocated. */

import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import { isIpv4Mapped, parseIp, validateLegacyIp } from '@coxswain/apimachinery';
import { pathOf, type Errors } from '../../../meta/checks.ts';
import type { ServiceSpec } from '../service-spec.ts';

const addressesPath = pathOf('spec', 'clusterIPs');
const familiesPath = pathOf('spec', 'ipFamilies');
const policyPath = pathOf('spec', 'ipFamilyPolicy');

export const isHeadless = ({ clusterIPs }: ServiceSpec): boolean =>
  clusterIPs?.length === 1 && clusterIPs[0] === 'None';

/** IPv4-mapped IPv6 counts as IPv4. */
const versionOf = (text: string): 4 | 6 => {
  const address = parseIp(text);
  return address?.version === 6 && !isIpv4Mapped(address) ? 6 : 4;
};

const families: readonly string[] = ['IPv4', 'IPv6'];
const familyPolicies: readonly string[] = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

export function validateAddressing(spec: ServiceSpec, old: ServiceSpec | undefined, errors: Errors): void {
  if (spec.type === 'ExternalName') return;
  const addresses = spec.clusterIPs ?? [];
  if (spec.clusterIP) {
    if (addresses.length === 0) errors.required(addressesPath);
    else if (addresses[0] !== spec.clusterIP) {
      errors.invalid(addressesPath, addresses, 'first value must match `clusterIP`');
    }
  } else if (addresses.length > 0) {
    errors.invalid(addressesPath, addresses, 'must be empty when `clusterIP` is not specified');
  }
  validateFamilies(spec, errors);
  if (!validateEach(addresses, new Set(old?.clusterIPs), errors)) return;
  const versions = addresses.map(versionOf);
  if (addresses.length > 1 && new Set(versions).size === 1) {
    errors.invalid(addressesPath, addresses, 'may specify no more than one IP for each IP family');
  }
  if (isHeadless(spec)) return;
  for (const [index, address] of addresses.entries()) {
    const family = spec.ipFamilies?.[index];
    const isIpv6 = versions[index] === 6;
    if ((family === 'IPv4' && isIpv6) || (family === 'IPv6' && !isIpv6)) {
      errors.invalid(
        addressesPath.index(index),
        address,
        `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
      );
    }
  }
}

function validateFamilies(spec: ServiceSpec, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (!families.includes(family)) errors.notSupported(familiesPath.index(index), family, families);
    if (seen.has(family)) errors.duplicate(familiesPath.index(index), family);
    seen.add(family);
  }
  if (spec.ipFamilyPolicy != null && !familyPolicies.includes(spec.ipFamilyPolicy)) {
    errors.notSupported(policyPath, spec.ipFamilyPolicy, familyPolicies);
  }
}

/** Returns whether all are addresses, so that their families can be compared. */
function validateEach(addresses: readonly string[], known: ReadonlySet<string>, errors: Errors): boolean {
  let allValid = true;
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === 'None') {
      if (addresses.length === 1) continue;
      allValid = false;
      errors.invalid(addressesPath, addresses, "'None' must be the first and only value");
      continue;
    }
    const wrong = validateLegacyIp(addressesPath.index(index), address, known);
    if (wrong.length > 0) allValid = false;
    appendAll(errors, wrong);
  }
  if (addresses.length > 2) {
    errors.invalid(addressesPath, addresses, 'may only hold up to 2 values');
  }
  return allValid;
}

const fixed = 'may not change once set';

/** A secondary address may be added and removed; the primary one stays. */
export function validateAddressingUpdate(spec: ServiceSpec, old: ServiceSpec, errors: Errors): void {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return;
  if (!(isHeadless(spec) && isHeadless(old))) validateAddressChange(spec, old, errors);
  if (!isHeadless(spec) && !isHeadless(old)) validateFamilyChange(spec, old, errors);
}

function validateAddressChange(spec: ServiceSpec, old: ServiceSpec, errors: Errors): void {
  const now = spec.clusterIPs ?? [];
  const before = old.clusterIPs ?? [];
  if (now.length === before.length) {
    for (const [index, address] of before.entries()) {
      if (address !== now[index]) errors.invalid(addressesPath.index(index), now, fixed);
    }
    return;
  }
  if (now.length === 0) {
    errors.invalid(addressesPath.index(0), spec.clusterIPs ?? null, 'primary clusterIP can not be unset');
  } else if (before.length > 0 && now[0] !== before[0]) {
    errors.invalid(addressesPath.index(0), now, fixed);
  }
  if (before.length > now.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    errors.invalid(
      policyPath,
      spec.ipFamilyPolicy ?? null,
      "must be set to 'SingleStack' when releasing the secondary clusterIP",
    );
  }
}

function validateFamilyChange(spec: ServiceSpec, old: ServiceSpec, errors: Errors): void {
  const now = spec.ipFamilies ?? [];
  const before = old.ipFamilies ?? [];
  const first = familiesPath.index(0);
  if (now.length === before.length) {
    for (const [index, family] of before.entries()) {
      if (family !== now[index]) errors.invalid(first, now, fixed);
    }
    return;
  }
  if (before.length > now.length && (spec.clusterIPs ?? []).length === 0) {
    errors.invalid(first, spec.ipFamilies ?? null, 'primary ipFamily can not be unset');
  }
  if (now.length > 0 && before.length > 0 && now[0] !== before[0]) {
    errors.invalid(first, spec.clusterIPs ?? null, fixed);
  }
  if (before.length > now.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    errors.invalid(
      policyPath,
      spec.ipFamilyPolicy ?? null,
      "must be set to 'SingleStack' when releasing the secondary ipFamily",
    );
  }
}
