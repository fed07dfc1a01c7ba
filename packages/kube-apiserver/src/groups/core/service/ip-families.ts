/** Sets a service's IP families and their policy, or returns the errors if they are unavailable. */
import { invalid, invalidError, type FieldError } from '@coxswain/apimachinery';
import { Service } from '@coxswain/api/core/v1/service.ts';
import { validateAddressing } from '@coxswain/api/core/v1/service/service-address-validation.ts';
import { Errors } from '@coxswain/api/meta/checks.ts';
import { printingTypedText } from '@coxswain/apiserver/registry/typed-text.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { counting } from '../../versioned-errors.ts';
import { familyOf, otherFamily, type IpFamily } from './ip-family.ts';
import {
  headless,
  isUntouchedDualStack,
  needsClusterIp,
  sameClusterIps,
  sameIpFamilies,
} from './service-needs.ts';

/** @param configured the families for which the cluster has ranges, the default one first */
export function fillIpFamilies(
  service: Service,
  old: Service | undefined,
  configured: readonly IpFamily[],
  features: FeatureGates,
): void {
  if (!needsClusterIp(service)) return;
  if (old !== undefined && isUntouchedDualStack(service, old)) return;
  const { spec } = service;
  const isHeadlessWithoutSelector =
    spec.clusterIP === headless && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??=
    old?.spec.ipFamilyPolicy ?? (isHeadlessWithoutSelector ? 'RequireDualStack' : 'SingleStack');
  const wrong = new Errors();
  validateAddressing(spec, old?.spec, wrong);
  refuse(service, counting(features, wrong));
  refuse(service, [
    ...releaseErrors(service, old),
    ...countErrors(service),
    ...addFamiliesOfIps(service, configured),
  ]);
  if (isHeadlessWithoutSelector) {
    addDefaultFamily(service, configured);
    if (spec.ipFamilies!.length < 2 && spec.ipFamilyPolicy !== 'SingleStack') addOtherFamily(service);
    return;
  }
  refuse(service, configurationErrors(service, configured));
  addDefaultFamily(service, configured);
  if (spec.ipFamilyPolicy !== 'SingleStack' && spec.ipFamilies!.length === 1 && configured.length === 2) {
    addOtherFamily(service);
  }
}

/** A change to single-stack releases the second address; otherwise no family may be lost. */
function releaseErrors(service: Service, old: Service | undefined): FieldError[] {
  if (old === undefined) return [];
  const { spec } = service;
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameClusterIps(old, service) && clusterIPs.length > 1) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (sameIpFamilies(old, service) && ipFamilies.length > 1) spec.ipFamilies = ipFamilies.slice(0, 1);
    return [];
  }
  const reduced = (now: readonly unknown[], before: readonly unknown[] = []) =>
    now.length > 0 && now.length < before.length;
  return [
    ...(reduced(clusterIPs, old.spec.clusterIPs)
      ? [policyError(service, "must be 'SingleStack' to release the secondary cluster IP")]
      : []),
    ...(reduced(ipFamilies, old.spec.ipFamilies)
      ? [policyError(service, "must be 'SingleStack' to release the secondary IP family")]
      : []),
  ];
}

function countErrors(service: Service): FieldError[] {
  const { ipFamilyPolicy, clusterIPs, ipFamilies } = service.spec;
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const demand = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  return [
    ...(clusterIPs?.length === 2 ? [policyError(service, `${demand} cluster IPs are specified`)] : []),
    ...(ipFamilies?.length === 2 ? [policyError(service, `${demand} IP families are specified`)] : []),
  ];
}

function addFamiliesOfIps({ spec }: Service, configured: readonly IpFamily[]): FieldError[] {
  const errors: FieldError[] = [];
  const families = [...(spec.ipFamilies ?? [])];
  const ips = spec.clusterIPs ?? [];
  for (const [i, ip] of ips.entries()) {
    if (ip === headless) break;
    if (i < families.length) continue;
    const family = familyOf(ip);
    if (configured.includes(family)) families.push(family);
    else
      errors.push(invalidError(`spec.clusterIPs[${i}]`, ips, `${family} is not configured on this cluster`));
  }
  if (families.length > 0) spec.ipFamilies = families;
  return errors;
}

function configurationErrors(service: Service, configured: readonly IpFamily[]): FieldError[] {
  const { ipFamilyPolicy, ipFamilies = [] } = service.spec;
  const errors: FieldError[] = [];
  if (ipFamilyPolicy === 'RequireDualStack' && configured.length < 2) {
    errors.push(policyError(service, 'this cluster is not configured for dual-stack services'));
  }
  for (const [i, family] of ipFamilies.entries()) {
    if (!configured.includes(family as IpFamily)) {
      errors.push(invalidError(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster'));
    }
  }
  return errors;
}

function addDefaultFamily({ spec }: Service, configured: readonly IpFamily[]): void {
  if (!spec.ipFamilies?.length) spec.ipFamilies = [configured[0]!];
}

function addOtherFamily({ spec }: Service): void {
  spec.ipFamilies = [...spec.ipFamilies!, otherFamily(spec.ipFamilies![0]!)];
}

const policyError = (service: Service, detail: string): FieldError =>
  invalidError('spec.ipFamilyPolicy', service.spec.ipFamilyPolicy, detail);

function refuse(service: Service, errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw invalid(Service, service.metadata.name ?? '', printingTypedText(Service.type, errors));
}
