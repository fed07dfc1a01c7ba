/** Validates specs of pods and pod templates. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkDnsSubdomainWithUnderscore,
  checkQualifiedName,
  compareQuantities,
  parseQuantity,
  PrintedValue,
  validateLegacyIp,
  type FieldPath,
} from '@coxswain/apimachinery';
import { wasSentEmpty, type ObjectMeta } from '@coxswain/schema';
import { check, checkConverted, checkMember, inRange, int32Max, type Errors } from '../../../meta/checks.ts';
import { goStruct } from '../../../meta/go-struct.ts';
import { validateLabels } from '../../../meta/object-meta-validation.ts';
import {
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './container-validation.ts';
import { aggregateContainerLimits, aggregateContainerRequests } from './pod-resources.ts';
import { PodResourceClaim, type PodDNSConfig, type PodSchedulingGate, type PodSpec } from '../pod-spec.ts';
import type { PodOptions } from './pod-options.ts';
import { isHugePages } from '../resource-list.ts';
import { containerResourceName, podResourceName, validateRequirements } from './resource-validation.ts';
import { validateAffinity, validateSpreadConstraints, validateTolerations } from './scheduling-validation.ts';
import { validatePodSecurity } from './security-context-validation.ts';
import { validateVolumes } from '../volume/volume-validation.ts';
import { visitContainers } from './pod-containers.ts';
import { validateOperatingSystem, validateWindowsHostProcess } from './operating-system-validation.ts';

/** `meta` is that of a pod; a template has none. */
export function validatePodSpec(
  spec: PodSpec,
  meta: ObjectMeta | undefined,
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  if (spec.terminationGracePeriodSeconds == null) {
    errors.required(path.child('terminationGracePeriodSeconds'));
  }
  const volumes = validateVolumes(spec.volumes ?? [], meta, path.child('volumes'), options, errors);
  const claimNames = new Set((spec.resourceClaims ?? []).map(({ name }) => name).filter(Boolean));
  if (spec.resourceClaims != null) validateResourceClaims(spec.resourceClaims, meta, path, errors);
  const around = { spec, volumes, claimNames, hostUsers: spec.hostUsers !== false, options };
  validateContainers(around, path.child('containers'), errors);
  validateInitContainers(around, path.child('initContainers'), errors);
  validateEphemeralContainers(around, path.child('ephemeralContainers'), errors);
  if (spec.resources != null) validatePodLevelResources(spec, claimNames, path, options, errors);
  validateHostPorts(spec, path, options, errors);
  oneOf(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], path, 'restartPolicy', errors);
  oneOf(
    spec.dnsPolicy,
    ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
    path,
    'dnsPolicy',
    errors,
  );
  validateLabels(spec.nodeSelector, path, 'nodeSelector', errors);
  validatePodSecurity(spec, path, options, errors);
  if (spec.affinity != null) validateAffinity(spec.affinity, path.child('affinity'), options, errors);
  validateDns(spec.dnsConfig, spec.dnsPolicy, path.child('dnsConfig'), errors);
  validateGates(spec, path, errors);
  if (spec.topologySpreadConstraints != null) {
    validateSpreadConstraints(
      spec.topologySpreadConstraints,
      path.child('topologySpreadConstraints'),
      options,
      errors,
    );
  }
  validateWindowsHostProcess(spec, path, options, errors);
  validateHostUsers(spec, path, options, errors);
  validateHostnameOverride(spec, path, errors);
  validateNames(spec, path, errors);
  if (spec.tolerations != null)
    validateTolerations(spec.tolerations, path.child('tolerations'), options, errors);
  validateHostAliases(spec, path, errors);
  validatePlacement(spec, path, options, errors);
  validateFileKeyVolumes(spec, path, errors);
}

function oneOf(
  value: string | undefined,
  supported: readonly string[],
  path: FieldPath,
  name: string,
  errors: Errors,
): void {
  if (!value) errors.required(path.child(name));
  else if (!supported.includes(value)) errors.notSupported(path.child(name), value, supported);
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';

function validateResourceClaims(
  claims: readonly PodResourceClaim[],
  meta: ObjectMeta | undefined,
  parent: FieldPath,
  errors: Errors,
): void {
  const names = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    if (meta?.annotations?.[mirrorAnnotation] !== undefined) {
      errors.forbidden('[]', 'static pods do not support resource claims');
      continue;
    }
    const path = parent.child('resourceClaims').index(index);
    if (!claim.name) errors.required(path.child('name'));
    else if (names.has(claim.name)) errors.duplicate(path.child('name'), claim.name);
    else {
      check(claim.name, path.child('name'), checkDnsLabel, errors);
      names.add(claim.name);
    }
    const { resourceClaimName, resourceClaimTemplateName } = claim;
    if ((resourceClaimName == null) === (resourceClaimTemplateName == null)) {
      const detail =
        resourceClaimName == null
          ? 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
          : 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.invalid(path, goStruct(PodResourceClaim, claim), detail);
    }
    if (resourceClaimName != null)
      check(resourceClaimName, path.child('resourceClaimName'), checkDnsSubdomain, errors);
    if (resourceClaimTemplateName != null) {
      check(resourceClaimTemplateName, path.child('resourceClaimTemplateName'), checkDnsSubdomain, errors);
    }
  }
}

function validatePodLevelResources(
  spec: PodSpec,
  claimNames: ReadonlySet<string>,
  parent: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  const path = parent.child('resources');
  if (spec.os?.name === 'windows') {
    errors.forbidden(path, 'may not be set for a windows pod');
    return;
  }
  const resources = spec.resources!;
  if (resources.claims != null || wasSentEmpty(resources, 'claims')) {
    errors.forbidden(path.child('claims'), 'claims may not be set for Resources at pod-level');
  }
  validateRequirements(resources, podResourceName, claimNames, options.indivisibleHugePages, path, errors);
  const exceeds = (a: string, b: string): boolean =>
    compareQuantities(parseQuantity(a), parseQuantity(b)) > 0;
  for (const [name, sum] of Object.entries(aggregateContainerRequests(spec)).sort()) {
    const request = resources.requests?.[name];
    if (request === undefined || !exceeds(sum, request)) continue;
    errors.invalid(
      path.child('requests').key(name),
      request,
      `must be greater than or equal to aggregate container requests of ${sum}`,
    );
  }
  for (const [name, sum] of Object.entries(aggregateContainerLimits(spec)).sort()) {
    const limit = resources.limits?.[name];
    if (!isHugePages(name) || limit === undefined || !exceeds(sum, limit)) continue;
    errors.invalid(
      path.child('limits').key(name),
      limit,
      `must be greater than or equal to aggregate container limits of ${sum}`,
    );
  }
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {}).sort()) {
      const podLimit = resources.limits?.[name];
      if (podLimit === undefined || !exceeds(limit, podLimit)) continue;
      errors.invalid(
        path.child('containers').index(index).key(name).child('limits'),
        limit,
        `must be less than or equal to pod limits of ${podLimit}`,
      );
    }
  }
}

/** On the host's network a container's port is the host's port; templates may leave that to the pod's defaults. */
function validateHostPorts(spec: PodSpec, path: FieldPath, options: PodOptions, errors: Errors): void {
  if (!spec.hostNetwork) return;
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [portIndex, { hostPort = 0, containerPort }] of (container.ports ?? []).entries()) {
      if (hostPort === containerPort || (hostPort === 0 && !options.isPod)) continue;
      errors.invalid(
        path.child('containers').index(index).child('ports').index(portIndex).child('hostPort'),
        hostPort,
        'must match `containerPort` when `hostNetwork` is true',
      );
    }
  }
}

const nameserversMax = 3;
const searchPathsMax = 32;
const searchLengthMax = 2048;

function validateDns(
  config: PodDNSConfig | null | undefined,
  policy: string | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (policy === 'None' && config == null) {
    errors.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
    return;
  }
  if (config == null) return;
  const nameservers = config.nameservers ?? [];
  const searches = config.searches ?? [];
  if (policy === 'None' && nameservers.length === 0) {
    errors.required(
      path.child('nameservers'),
      'must provide at least one DNS nameserver when `dnsPolicy` is None',
    );
    return;
  }
  if (nameservers.length > nameserversMax) {
    errors.invalid(
      path.child('nameservers'),
      nameservers,
      `must not have more than ${nameserversMax} nameservers`,
    );
  }
  for (const [index, address] of nameservers.entries()) {
    errors.push(...validateLegacyIp(path.child('nameservers').index(index), address));
  }
  if (searches.length > searchPathsMax) {
    errors.invalid(
      path.child('searches'),
      searches,
      `must not have more than ${searchPathsMax} search paths`,
    );
  }
  if (searches.join(' ').length > searchLengthMax) {
    errors.invalid(
      path.child('searches'),
      searches,
      `must not have more than ${searchLengthMax} characters (including spaces) in the search list`,
    );
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    check(
      search.endsWith('.') ? search.slice(0, -1) : search,
      path.child('searches').index(index),
      checkDnsSubdomainWithUnderscore,
      errors,
    );
  }
  for (const [index, { name }] of (config.options ?? []).entries()) {
    if (!name) errors.required(path.child('options').index(index), 'must not be empty');
  }
}

function validateGates(spec: PodSpec, path: FieldPath, errors: Errors): void {
  for (const [index, { conditionType }] of (spec.readinessGates ?? []).entries()) {
    checkConverted(
      conditionType ?? '',
      path.child('readinessGates').index(index).child('conditionType'),
      checkQualifiedName,
      errors,
    );
  }
  if (spec.schedulingGates != null) validateSchedulingGates(spec.schedulingGates, path, errors);
}

function validateSchedulingGates(gates: readonly PodSchedulingGate[], path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  for (const [index, { name = '' }] of gates.entries()) {
    const at = path.child('schedulingGates').index(index);
    check(name, at, checkQualifiedName, errors);
    if (names.has(name)) errors.duplicate(at, name);
    names.add(name);
  }
}

function validateHostUsers(spec: PodSpec, path: FieldPath, options: PodOptions, errors: Errors): void {
  if (spec.hostUsers !== false) return;
  const refused = 'when `hostUsers` is false';
  if (spec.hostNetwork && !options.hostNetworkUserNamespaces) {
    errors.forbidden(path.child('hostNetwork'), refused);
  }
  if (spec.hostPID) errors.forbidden(path.child('HostPID'), refused);
  if (spec.hostIPC) errors.forbidden(path.child('HostIPC'), refused);
  if (options.volumeDevicesInUserNamespaces) return;
  visitContainers(spec, path, (container, containerPath) => {
    if ((container.volumeDevices ?? []).length > 0) {
      errors.forbidden(containerPath.child('volumeDevices'), refused);
    }
  });
}

const hostnameLengthMax = 64;

function validateHostnameOverride(spec: PodSpec, parent: FieldPath, errors: Errors): void {
  if (spec.hostnameOverride == null) return;
  const path = parent.child('hostnameOverride');
  if (spec.setHostnameAsFQDN) {
    errors.forbidden(path, 'may not be specified when setHostnameAsFQDN is true');
  }
  if (spec.hostNetwork) errors.forbidden(path, 'may not be specified when hostNetwork is true');
  if (spec.hostnameOverride.length > hostnameLengthMax) errors.tooLong(path, hostnameLengthMax);
  check(spec.hostnameOverride, path, checkDnsSubdomain, errors);
}

function validateNames(spec: PodSpec, path: FieldPath, errors: Errors): void {
  if (spec.serviceAccountName) {
    checkMember(spec.serviceAccountName, path, 'serviceAccountName', checkDnsSubdomain, errors);
  }
  if (spec.nodeName) checkMember(spec.nodeName, path, 'nodeName', checkDnsSubdomain, errors);
  if (spec.activeDeadlineSeconds != null) {
    inRange(spec.activeDeadlineSeconds, 1, int32Max, path, 'activeDeadlineSeconds', errors);
  }
  if (spec.hostname) checkMember(spec.hostname, path, 'hostname', checkDnsLabel, errors);
  if (spec.subdomain) checkMember(spec.subdomain, path, 'subdomain', checkDnsLabel, errors);
}

function validateHostAliases(spec: PodSpec, parent: FieldPath, errors: Errors): void {
  for (const [index, { ip, hostnames }] of (spec.hostAliases ?? []).entries()) {
    const path = parent.child('hostAliases').index(index);
    errors.push(...validateLegacyIp(path.child('ip'), ip ?? ''));
    for (const [nameIndex, name] of (hostnames ?? []).entries()) {
      check(name, path.child('hostnames').index(nameIndex), checkDnsSubdomain, errors);
    }
  }
}

function validatePlacement(spec: PodSpec, path: FieldPath, options: PodOptions, errors: Errors): void {
  if (spec.priorityClassName) {
    checkMember(spec.priorityClassName, path, 'priorityClassName', checkDnsSubdomain, errors);
  }
  if (spec.runtimeClassName != null) {
    checkMember(spec.runtimeClassName, path, 'runtimeClassName', checkDnsSubdomain, errors);
  }
  if (spec.preemptionPolicy != null) {
    oneOf(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], path, 'preemptionPolicy', errors);
  }
  if (spec.overhead != null) {
    const limits = { limits: spec.overhead };
    validateRequirements(
      limits,
      containerResourceName,
      new Set(),
      options.indivisibleHugePages,
      path.child('overhead'),
      errors,
    );
  }
  if (spec.os != null) validateOperatingSystem(spec, path, errors);
  if (spec.schedulingGroup == null) return;
  const groupName = spec.schedulingGroup.podGroupName;
  const groupPath = path.child('schedulingGroup', 'podGroupName');
  if (groupName == null) {
    errors.invalid(groupPath, new PrintedValue('null'), 'must specify one of: `podGroupName`');
  } else check(groupName, groupPath, checkDnsSubdomain, errors);
}

function validateFileKeyVolumes(spec: PodSpec, path: FieldPath, errors: Errors): void {
  visitContainers(spec, path, (container, containerPath) => {
    const variables = container.env ?? [];
    for (let index = 0; index < variables.length; index++) {
      const selector = variables[index]!.valueFrom?.fileKeyRef;
      if (selector == null) continue;
      const namePath = containerPath.child('env').index(index).child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = (spec.volumes ?? []).findLast(({ name }) => name === selector.volumeName);
      if (volume === undefined) errors.notFound(namePath, selector.volumeName);
      else if (volume.emptyDir == null) {
        errors.invalid(namePath, selector.volumeName, 'referenced volume must be of type emptyDir');
      }
    }
  });
}
