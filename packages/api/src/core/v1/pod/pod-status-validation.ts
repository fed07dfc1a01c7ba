/** Validates writes to a pod's status. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkQualifiedName,
  parseIp,
  validateLegacyIp,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import { check, immutable, pathOf, Errors } from '../../../meta/checks.ts';
import { goStructs } from '../../../meta/go-struct.ts';
import { metadataPath, validateObjectMetaUpdate } from '../../../meta/object-meta-validation.ts';
import {
  validateAllocatedResources,
  validateTransitions,
  validateUsers,
} from './container-status-validation.ts';
import { validateAnnotationUpdate, validatePodAnnotations } from './pod-annotation-validation.ts';
import type { PodSpec } from '../pod-spec.ts';
import { HostIP, PodIP } from '../pod-status.ts';
import { podOptions } from './pod-validation-options.ts';
import type { PodObject } from './pod-validation.ts';

const statusPath = pathOf('status');

export function validatePodStatus(pod: PodObject, old: PodObject, context: ValidationContext): FieldError[] {
  const errors = new Errors();
  const annotationsPath = metadataPath.child('annotations');
  validateObjectMetaUpdate(pod.metadata, old.metadata, errors);
  validateAnnotationUpdate(pod.metadata.annotations, old.metadata.annotations, annotationsPath, errors);
  validatePodAnnotations(
    pod.metadata.annotations,
    pod.spec,
    annotationsPath,
    podOptions(true, context, old),
    errors,
  );
  validateConditions(pod, errors);
  if ((pod.spec.nodeName ?? '') !== (old.spec.nodeName ?? '')) {
    errors.forbidden(statusPath.child('nodeName'), 'may not be changed directly');
  }
  validateNomination(pod, old, errors);
  if ((pod.status.observedGeneration ?? 0) < 0) {
    errors.invalid(
      statusPath.child('observedGeneration'),
      pod.status.observedGeneration,
      'must be a non-negative integer',
    );
  }
  immutable(pod.status.qosClass ?? '', old.status.qosClass ?? '', statusPath.child('qosClass'), errors);
  validateTransitions(pod.status, old.status, old.spec, errors);
  validateClaimStatuses(pod, errors);
  validateAddresses(pod, old, errors);
  validateUsers(pod.status, pod.spec, errors);
  validateAllocatedResources(pod.status, pod.spec, errors);
  return errors;
}

const systemConditions: readonly string[] = ['PodScheduled', 'Ready', 'Initialized'];

function validateConditions({ status }: PodObject, errors: Errors): void {
  for (const [index, { type, observedGeneration }] of (status.conditions ?? []).entries()) {
    const path = statusPath.child('conditions').index(index);
    if ((observedGeneration ?? 0) < 0) {
      errors.invalid(path.child('observedGeneration'), observedGeneration, 'must be a non-negative integer');
    }
    if (!systemConditions.includes(type)) check(type, path.child('Type'), checkQualifiedName, errors);
  }
}

function validateNomination({ status }: PodObject, old: PodObject, errors: Errors): void {
  const name = status.nominatedNodeName ?? '';
  if (name === '' || name === (old.status.nominatedNodeName ?? '')) return;
  const path = statusPath.child('nominatedNodeName');
  check(name, path, checkDnsSubdomain, errors);
  if (old.spec.nodeName) errors.forbidden(path, 'may not be set on pods that are already bound to a node');
}

function validateClaimStatuses({ spec, status }: PodObject, errors: Errors): void {
  const names = new Set<string>();
  for (const [index, { name, resourceClaimName }] of (status.resourceClaimStatuses ?? []).entries()) {
    const path = statusPath.child('resourceClaimStatuses').index(index);
    if (!(spec.resourceClaims ?? []).some((claim) => claim.name === name)) {
      errors.invalid(path.child('name'), name, 'must match the name of an entry in `spec.resourceClaims`');
    }
    if (names.has(name)) errors.duplicate(path.child('name'), name);
    names.add(name);
    if (resourceClaimName != null)
      check(resourceClaimName, path.child('resourceClaimName'), checkDnsSubdomain, errors);
  }
  if (status.extendedResourceClaimStatus != null) {
    validateExtendedClaim(status.extendedResourceClaimStatus, spec, errors);
  }
}

type ExtendedClaim = NonNullable<PodObject['status']['extendedResourceClaimStatus']>;

/** The claim created for extended resources that devices provide. */
function validateExtendedClaim(
  { requestMappings: mappings, resourceClaimName }: ExtendedClaim,
  spec: PodSpec,
  errors: Errors,
): void {
  const path = statusPath.child('extendedResourceClaimStatus');
  const mappingsPath = path.child('requestMappings');
  const requestMappings = mappings ?? [];
  if (requestMappings.length === 0) {
    errors.required(mappingsPath, 'at least one request mapping is required');
  }
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const seen = new Set<string>();
  for (const [index, { containerName, resourceName, requestName }] of requestMappings.entries()) {
    const at = mappingsPath.index(index);
    const container = containers.findLast(({ name }) => name === containerName);
    if (container === undefined) {
      errors.invalid(at.child('containerName'), containerName, noContainer);
    } else if (container.resources?.requests?.[resourceName] === undefined) {
      errors.invalid(at.child('resourceName'), resourceName, noRequest);
    }
    check(requestName, path.child('requestName'), checkDnsLabel, errors);
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      errors.duplicate(at.child('containerName'), containerName);
      errors.duplicate(at.child('resourceName'), resourceName);
      errors.duplicate(at.child('requestName'), requestName);
    }
    seen.add(key);
  }
  if (!resourceClaimName) errors.required(path.child('resourceClaimName'));
  else check(resourceClaimName, path.child('resourceClaimName'), checkDnsSubdomain, errors);
}

const noContainer = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
const noRequest =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';

function validateAddresses(pod: PodObject, old: PodObject, errors: Errors): void {
  const podIps = (pod.status.podIPs ?? []).map(({ ip }) => ip ?? '');
  const known = new Set((old.status.podIPs ?? []).map(({ ip }) => ip ?? ''));
  validateFamilies(podIps, known, statusPath.child('podIPs'), errors, () =>
    goStructs(PodIP, pod.status.podIPs),
  );
  const hostIps = (pod.status.hostIPs ?? []).map(({ ip }) => ip ?? '');
  if (hostIps.length === 0) return;
  const path = statusPath.child('hostIPs');
  if ((pod.status.hostIP ?? '') !== hostIps[0]) {
    errors.invalid(path.index(0).child('ip'), hostIps[0], 'must be equal to `hostIP`');
  }
  const knownHost = new Set((old.status.hostIPs ?? []).map(({ ip }) => ip ?? ''));
  validateFamilies(hostIps, knownHost, path, errors, () => goStructs(HostIP, pod.status.hostIPs));
}

/** At most one address of each family. */
function validateFamilies(
  addresses: readonly string[],
  known: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
  print: () => unknown,
): void {
  for (const [index, address] of addresses.entries()) {
    errors.push(...validateLegacyIp(path.index(index), address, known));
  }
  if (addresses.length < 2) return;
  const versions = addresses.map((address) => parseIp(address)?.version);
  if (addresses.length > 2 || versions[0] === versions[1]) {
    errors.invalid(path, print(), 'may specify no more than one IP for each IP family');
  }
}
