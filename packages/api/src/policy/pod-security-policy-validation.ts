/** The rules of PodSecurityPolicies, as Kubernetes 1.20 had them. */
import { checkDnsSubdomain, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { csiDriverName } from '../core/v1/volume/volume-source-validation.ts';
import { check, pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../meta/object-meta-validation.ts';
import type { PodSecurityPolicySpec } from './pod-security-policy-spec.ts';
import { validateSysctlPatterns } from './sysctl-pattern-validation.ts';

type Policy = SpecObject<PodSecurityPolicySpec>;

const specPath = pathOf('spec');

export function validatePodSecurityPolicy(policy: Policy, old: Policy | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(policy.metadata, old?.metadata, { namespaced: false, name: subdomainName }, errors);
  const { spec } = policy;
  validateIdentities(spec, errors);
  validateVolumeTypes(spec, errors);
  validateCapabilities(spec, errors);
  validateEscalation(spec, errors);
  for (const [index, type] of (spec.allowedProcMountTypes ?? []).entries()) {
    if (type === 'Default' || type === 'Unmasked') continue;
    const path = specPath.child('allowedProcMountTypes').index(index);
    errors.notSupported(path, type, ['Default', 'Unmasked']);
  }
  validateHostPaths(spec, errors);
  validateDrivers(spec, errors);
  validateSysctlPatterns(spec, specPath, errors);
  validateRuntimeClasses(spec, errors);
  return errors;
}

interface Strategy {
  readonly rule?: string;
  readonly ranges?: readonly { readonly min: number; readonly max: number }[];
}

function validateIdentities(spec: PodSecurityPolicySpec, errors: Errors): void {
  const { runAsUser, runAsGroup, seLinux, supplementalGroups, fsGroup } = spec;
  validateStrategy(runAsUser, 'runAsUser', ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'], errors);
  if (runAsGroup != null) validateRunAsGroup(runAsGroup, errors);
  validateStrategy({ rule: seLinux.rule }, 'seLinux', ['MustRunAs', 'RunAsAny'], errors);
  const ofGroups = ['MayRunAs', 'MustRunAs', 'RunAsAny'];
  validateStrategy(supplementalGroups, 'supplementalGroups', ofGroups, errors);
  validateStrategy(fsGroup, 'fsGroup', ofGroups, errors);
}

function validateStrategy(
  { rule = '', ranges }: Strategy,
  member: string,
  rules: readonly string[],
  errors: Errors,
): void {
  const path = specPath.child(member);
  if (!rules.includes(rule)) errors.notSupported(path.child('rule'), rule, rules);
  validateRanges(ranges ?? [], path, errors);
}

function validateRunAsGroup({ rule = '', ranges = [] }: Strategy, errors: Errors): void {
  const path = specPath.child('runAsGroup');
  if (rule === 'RunAsAny') {
    if (ranges.length > 0) errors.invalid(path.child('ranges'), ranges, 'Ranges must be empty');
  } else if (rule === 'MustRunAs' || rule === 'MayRunAs') {
    if (ranges.length === 0) {
      errors.invalid(path.child('ranges'), ranges, 'must provide at least one range');
    }
    validateRanges(ranges, path, errors);
  } else errors.notSupported(path.child('rule'), rule, ['MustRunAs', 'RunAsAny', 'MayRunAs']);
}

function validateRanges(ranges: NonNullable<Strategy['ranges']>, parent: FieldPath, errors: Errors): void {
  for (const [index, { min, max }] of ranges.entries()) {
    const path = parent.child('ranges').index(index);
    if (min < 0) errors.invalid(path.child('min'), min, 'min cannot be negative');
    if (max < 0) errors.invalid(path.child('max'), max, 'max cannot be negative');
    if (min > max) errors.invalid(path.child('min'), min, 'min cannot be greater than max');
  }
}

/** Sorted, as the message lists them. */
const volumeTypes: readonly string[] = (
  '* awsElasticBlockStore azureDisk azureFile cephFS cinder configMap csi downwardAPI emptyDir ephemeral fc ' +
  'flexVolume flocker gcePersistentDisk gitRepo glusterfs hostPath iscsi nfs persistentVolumeClaim ' +
  'photonPersistentDisk portworxVolume projected quobyte rbd scaleIO secret storageos vsphereVolume'
).split(' ');

function validateVolumeTypes({ volumes }: PodSecurityPolicySpec, errors: Errors): void {
  for (const volume of volumes ?? []) {
    if (volumeTypes.includes(volume)) continue;
    errors.notSupported(specPath.child('volumes'), volume, volumeTypes);
  }
}

/** Upstream's paths lack `spec` here. */
function validateCapabilities(spec: PodSecurityPolicySpec, errors: Errors): void {
  const {
    requiredDropCapabilities: drops = [],
    allowedCapabilities = [],
    defaultAddCapabilities = [],
  } = spec;
  if (drops.length > 0 && allowedCapabilities.includes('*')) {
    const detail = 'must be empty when all capabilities are allowed by a wildcard';
    errors.invalid('requiredDropCapabilities', drops, detail);
  }
  for (const [member, capabilities] of Object.entries({ defaultAddCapabilities, allowedCapabilities })) {
    for (const capability of capabilities) {
      if (!drops.includes(capability)) continue;
      const detail = `capability is listed in ${member} and requiredDropCapabilities`;
      errors.invalid(member, capability, detail);
    }
  }
}

function validateEscalation(spec: PodSecurityPolicySpec, errors: Errors): void {
  if (spec.defaultAllowPrivilegeEscalation !== true || spec.allowPrivilegeEscalation === true) return;
  const detail =
    'Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true';
  errors.invalid(specPath.child('defaultAllowPrivilegeEscalation'), true, detail);
}

/** The first missing path ends the validation of the list. */
function validateHostPaths({ allowedHostPaths }: PodSecurityPolicySpec, errors: Errors): void {
  for (const [index, { pathPrefix = '' }] of (allowedHostPaths ?? []).entries()) {
    const path = specPath.child('allowedHostPaths').index(index);
    if (pathPrefix === '') return void errors.required(path, 'is required');
    if (pathPrefix.split('/').includes('..')) {
      errors.invalid(path, pathPrefix, "must not contain '..'");
    }
  }
}

function validateDrivers(
  { allowedFlexVolumes, allowedCSIDrivers }: PodSecurityPolicySpec,
  errors: Errors,
): void {
  const flexPath = specPath.child('allowedFlexVolumes', 'allowedFlexVolumes');
  for (const [index, { driver }] of (allowedFlexVolumes ?? []).entries()) {
    if (!driver) errors.required(flexPath.index(index).child('driver'), 'must specify a driver');
  }
  const csiPath = specPath.child('allowedCSIDrivers', 'allowedCSIDriver');
  for (const [index, { name }] of (allowedCSIDrivers ?? []).entries()) {
    csiDriverName(name, csiPath.index(index).child('name'), errors);
  }
}

function validateRuntimeClasses({ runtimeClass }: PodSecurityPolicySpec, errors: Errors): void {
  if (runtimeClass == null) return;
  const path = specPath.child('runtimeClass', 'allowedRuntimeClassNames');
  const { allowedRuntimeClassNames: names = [], defaultRuntimeClassName: chosen } = runtimeClass;
  const seen = new Set<string>();
  for (const [index, name] of (names ?? []).entries()) {
    if (name !== '*') check(name, path.index(index), checkDnsSubdomain, errors);
    if (seen.has(name)) errors.duplicate(path.index(index), name);
    seen.add(name);
  }
  if (chosen != null) {
    check(chosen, specPath.child('runtimeClass', 'defaultRuntimeClassName'), checkDnsSubdomain, errors);
    if (!seen.has(chosen) && !seen.has('*')) {
      errors.required(path, `default ${JSON.stringify(chosen)} must be allowed`);
    }
  }
  if (seen.has('*') && names.length > 1) {
    errors.invalid(path, names, "if '*' is present, must not specify other RuntimeClass names");
  }
}
