/** Validates container statuses of pods: state transitions, users and allocated resources. */

import { byteLength, checkGroupId, checkUserId, type FieldPath } from '@coxswain/apimachinery';
import { pathOf, type Errors } from '../../../meta/checks.ts';
import type { ContainerStatus } from '../container-status.ts';
import type { Container } from '../container.ts';
import type { PodSpec } from '../pod-spec.ts';
import type { PodStatus } from '../pod-status.ts';

const statusPath = pathOf('status');
const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;
type StatusList = (typeof lists)[number];

/** A container that has terminated for good stays so. */
export function validateTransitions(status: PodStatus, old: PodStatus, spec: PodSpec, errors: Errors): void {
  const isFree = allMayRestart(spec);
  for (const list of lists) {
    const isEphemeral = list === 'ephemeralContainerStatuses';
    if (isFree && !isEphemeral) continue;
    const notEnded = (status[list] ?? []).filter(({ state }) => state?.terminated == null);
    const revivedOf = Map.groupBy(notEnded, ({ name }) => name);
    const containers = containersOf(spec, list);
    for (const [index, before] of (old[list] ?? []).entries()) {
      if (before.state?.terminated == null) continue;
      const revived = revivedOf.get(before.name) ?? [];
      const container = containers.get(before.name);
      const exitCode = before.state.terminated.exitCode ?? 0;
      if (!isEphemeral && container !== undefined && mayRestart(container, spec, exitCode)) continue;
      const path = statusPath.child(list).index(index).child('state');
      for (const _ of isEphemeral ? revived : revived.slice(0, 1)) {
        errors.forbidden(path, 'may not be transitioned to non-terminated state');
      }
    }
  }
}

/** By name; of duplicate names, the first. */
function containersOf(spec: PodSpec, list: StatusList): ReadonlyMap<string, Container> {
  const containers = (list === 'containerStatuses' ? spec.containers : spec.initContainers) ?? [];
  return new Map(containers.toReversed().map((container) => [container.name, container]));
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

export function validateUsers(status: PodStatus, spec: PodSpec, errors: Errors): void {
  const system = spec.os?.name ?? 'linux';
  for (const list of lists) {
    for (const [index, { user }] of (status[list] ?? []).entries()) {
      if (user?.linux == null) continue;
      const path = statusPath.child(list).index(index).child('user', 'linux');
      if (system === 'windows') errors.forbidden(path, 'cannot be set for a windows pod');
      else if (system === 'linux') validateUser(user.linux, path, errors);
    }
  }
}

type LinuxUser = NonNullable<NonNullable<ContainerStatus['user']>['linux']>;

function validateUser({ uid, gid, supplementalGroups }: LinuxUser, path: FieldPath, errors: Errors): void {
  for (const message of checkUserId(uid)) errors.invalid(path.child('uid'), uid, message);
  for (const message of checkGroupId(gid)) errors.invalid(path.child('gid'), gid, message);
  for (const [index, group] of (supplementalGroups ?? []).entries()) {
    const at = path.child('supplementalGroups').index(index);
    for (const message of checkGroupId(group)) errors.invalid(at, group, message);
  }
}

/** Ephemeral containers have no resources of their own. */
export function validateAllocatedResources(status: PodStatus, spec: PodSpec, errors: Errors): void {
  for (const list of ['containerStatuses', 'initContainerStatuses'] as const) {
    const containers = containersOf(spec, list);
    for (const [index, containerStatus] of (status[list] ?? []).entries()) {
      const container = containers.get(containerStatus.name);
      const path = statusPath.child(list).index(index).child('allocatedResourcesStatus');
      for (const [at, allocated] of (containerStatus.allocatedResourcesStatus ?? []).entries()) {
        if (container !== undefined) validateAllocatedName(allocated.name, container, path.index(at), errors);
        validateHealth(allocated.resources ?? [], path.index(at).child('resources'), errors);
      }
    }
  }
  for (const [index, { allocatedResourcesStatus }] of (status.ephemeralContainerStatuses ?? []).entries()) {
    if ((allocatedResourcesStatus ?? []).length === 0) continue;
    const path = statusPath
      .child('ephemeralContainerStatuses')
      .index(index)
      .child('allocatedResourcesStatus');
    errors.forbidden(path, 'must not be specified in container status');
  }
}

function validateAllocatedName(
  name: string,
  { resources }: Container,
  path: FieldPath,
  errors: Errors,
): void {
  const isClaim = name.startsWith('claim:');
  const known = isClaim
    ? (resources?.claims ?? []).map(
        (claim) => `claim:${claim.name}${claim.request ? `/${claim.request}` : ''}`,
      )
    : Object.keys(resources?.requests ?? {});
  if (known.includes(name)) return;
  const detail = isClaim
    ? "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    : "must match one of the container's resource requests";
  errors.invalid(path.child('name'), name, detail);
}

type ResourceHealth = NonNullable<
  NonNullable<ContainerStatus['allocatedResourcesStatus']>[number]['resources']
>[number];

const healths = ['Healthy', 'Unhealthy', 'Unknown'];
const healthMessageBytesMax = 1024;

function validateHealth(resources: readonly ResourceHealth[], parent: FieldPath, errors: Errors): void {
  const ids = new Set<string>();
  for (const [index, { resourceID, health, message }] of resources.entries()) {
    const path = parent.index(index);
    if (!healths.includes(health ?? '')) {
      errors.notSupported(path.child('health'), health ?? '', healths);
    }
    if (message === '') errors.required(path.child('message'), 'must be non-empty if specified');
    if (message != null && byteLength(message) > healthMessageBytesMax) {
      errors.tooLong(path.child('message'), healthMessageBytesMax);
    }
    if (ids.has(resourceID)) errors.duplicate(path.child('resourceID'), resourceID);
    ids.add(resourceID);
  }
}
