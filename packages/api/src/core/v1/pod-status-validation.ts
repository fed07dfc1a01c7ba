/** Writes to a pod's status. */

import {
  checkDnsSubdomain,
  checkQualifiedName,
  duplicateError,
  forbiddenError,
  invalidError,
  parseIp,
  requiredError,
  validateLegacyIp,
} from '@coxswain/apimachinery';
import type { FieldError, FieldPath } from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import { check, immutable, pathOf } from '../../meta/checks.ts';
import type { Errors } from '../../meta/checks.ts';
import { goStructs } from '../../meta/go-struct.ts';
import { metadataPath, validateObjectMetaUpdate } from '../../meta/object-meta-validation.ts';
import type { ContainerStatus } from './container-status.ts';
import type { Container } from './container.ts';
import { validateAnnotationUpdate, validatePodAnnotations } from './pod-annotation-validation.ts';
import type { PodSpec } from './pod-spec.ts';
import { HostIP, PodIP } from './pod-status.ts';
import { podOptions } from './pod-validation-options.ts';
import type { PodObject } from './pod-validation.ts';

const statusPath = pathOf('status');

export function validatePodStatus(pod: PodObject, old: PodObject, context: ValidationContext): FieldError[] {
  const errors: Errors = [];
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
    errors.push(forbiddenError(statusPath.child('nodeName'), 'may not be changed directly'));
  }
  validateNomination(pod, old, errors);
  if ((pod.status.observedGeneration ?? 0) < 0) {
    errors.push(
      invalidError(
        statusPath.child('observedGeneration'),
        pod.status.observedGeneration,
        'must be a non-negative integer',
      ),
    );
  }
  immutable(pod.status.qosClass ?? '', old.status.qosClass ?? '', statusPath.child('qosClass'), errors);
  for (const list of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const) {
    validateTransitions(pod.status[list] ?? [], old.status[list] ?? [], old.spec, list, errors);
  }
  validateClaimStatuses(pod, errors);
  validateAddresses(pod, old, errors);
  for (const list of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const) {
    validateUsers(pod.status[list] ?? [], statusPath.child(list), pod.spec, errors);
  }
  return errors;
}

const systemConditions: readonly string[] = ['PodScheduled', 'Ready', 'Initialized'];

function validateConditions({ status }: PodObject, errors: Errors): void {
  for (const [index, { type, observedGeneration }] of (status.conditions ?? []).entries()) {
    const path = statusPath.child('conditions').index(index);
    if ((observedGeneration ?? 0) < 0) {
      errors.push(
        invalidError(path.child('observedGeneration'), observedGeneration, 'must be a non-negative integer'),
      );
    }
    if (!systemConditions.includes(type)) check(type, path.child('Type'), checkQualifiedName, errors);
  }
}

function validateNomination({ status }: PodObject, old: PodObject, errors: Errors): void {
  const name = status.nominatedNodeName ?? '';
  if (name === '' || name === (old.status.nominatedNodeName ?? '')) return;
  const path = statusPath.child('nominatedNodeName');
  check(name, path, checkDnsSubdomain, errors);
  if (old.spec.nodeName)
    errors.push(forbiddenError(path, 'may not be set on pods that are already bound to a node'));
}

/** A container that has ended for good stays so. */
function validateTransitions(
  statuses: readonly ContainerStatus[],
  old: readonly ContainerStatus[],
  spec: PodSpec,
  list: string,
  errors: Errors,
): void {
  const isEphemeral = list === 'ephemeralContainerStatuses';
  if (!isEphemeral && allMayRestart(spec)) return;
  const containers = list === 'containerStatuses' ? spec.containers : (spec.initContainers ?? []);
  for (const [index, before] of old.entries()) {
    const exitCode = before.state?.terminated?.exitCode;
    if (before.state?.terminated == null) continue;
    const now = statuses.find(({ name }) => name === before.name);
    if (now === undefined || now.state?.terminated != null) continue;
    const container = (containers ?? []).find(({ name }) => name === before.name);
    if (!isEphemeral && container !== undefined && mayRestart(container, spec, exitCode ?? 0)) continue;
    errors.push(
      forbiddenError(
        statusPath.child(list).index(index).child('state'),
        'may not be transitioned to non-terminated state',
      ),
    );
  }
}

const allMayRestart = (spec: PodSpec): boolean =>
  [...(spec.initContainers ?? []), ...(spec.containers ?? [])].some(({ restartPolicyRules }) =>
    (restartPolicyRules ?? []).some(({ action }) => action === 'RestartAllContainers'),
  );

function mayRestart(container: Container, spec: PodSpec, exitCode: number): boolean {
  if (container.restartPolicy != null) {
    const rule = (container.restartPolicyRules ?? []).find(({ exitCodes }) => {
      const isListed = (exitCodes?.values ?? []).includes(exitCode);
      return exitCodes?.operator === 'In' ? isListed : exitCodes?.operator === 'NotIn' && !isListed;
    });
    if (rule?.action === 'Restart' || rule?.action === 'RestartAllContainers') return true;
  }
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never';
}

function validateClaimStatuses({ spec, status }: PodObject, errors: Errors): void {
  const names = new Set<string>();
  for (const [index, { name, resourceClaimName }] of (status.resourceClaimStatuses ?? []).entries()) {
    const path = statusPath.child('resourceClaimStatuses').index(index);
    if (!(spec.resourceClaims ?? []).some((claim) => claim.name === name)) {
      errors.push(
        invalidError(path.child('name'), name, 'must match the name of an entry in `spec.resourceClaims`'),
      );
    }
    if (names.has(name)) errors.push(duplicateError(path.child('name'), name));
    names.add(name);
    if (resourceClaimName != null)
      check(resourceClaimName, path.child('resourceClaimName'), checkDnsSubdomain, errors);
  }
  const extended = status.extendedResourceClaimStatus;
  if (extended != null && (extended.requestMappings ?? []).length === 0) {
    errors.push(
      requiredError(
        statusPath.child('extendedResourceClaimStatus', 'requestMappings'),
        'at least one request mapping is required',
      ),
    );
  }
}

function validateAddresses(pod: PodObject, old: PodObject, errors: Errors): void {
  const podIps = (pod.status.podIPs ?? []).map(({ ip }) => ip ?? '');
  const known = (old.status.podIPs ?? []).map(({ ip }) => ip ?? '');
  validateFamilies(podIps, known, statusPath.child('podIPs'), errors, () =>
    goStructs(PodIP, pod.status.podIPs),
  );
  const hostIps = (pod.status.hostIPs ?? []).map(({ ip }) => ip ?? '');
  if (hostIps.length === 0) return;
  const path = statusPath.child('hostIPs');
  if ((pod.status.hostIP ?? '') !== hostIps[0]) {
    errors.push(invalidError(path.index(0).child('ip'), hostIps[0], 'must be equal to `hostIP`'));
  }
  const knownHost = (old.status.hostIPs ?? []).map(({ ip }) => ip ?? '');
  validateFamilies(hostIps, knownHost, path, errors, () => goStructs(HostIP, pod.status.hostIPs));
}

/** One address of each family at most. */
function validateFamilies(
  addresses: readonly string[],
  known: readonly string[],
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
    errors.push(invalidError(path, print(), 'may specify no more than one IP for each IP family'));
  }
}

function validateUsers(
  statuses: readonly ContainerStatus[],
  path: FieldPath,
  spec: PodSpec,
  errors: Errors,
): void {
  if (spec.os?.name !== 'windows') return;
  for (const [index, { user }] of statuses.entries()) {
    if (user?.linux != null) {
      errors.push(
        forbiddenError(path.index(index).child('user', 'linux'), 'cannot be set for a windows pod'),
      );
    }
  }
}
