/** Defaults of pods that depend on other values; templates get fewer of them. */

import { noteEmpty, wasSentEmpty } from '@coxswain/schema';
import type { SpecObject } from '../../../meta/kind-object.ts';
import type { Container, EphemeralContainer } from '../container.ts';
import { imagePullPolicyOf } from './image-reference.ts';
import { aggregateContainerLimits, aggregateContainerRequests } from './pod-resources.ts';
import type { PodSpec } from '../pod-spec.ts';
import type { PodTemplateSpec } from '../pod-template-spec.ts';
import {
  fillResourceList,
  isHugePages,
  isOvercommitAllowed,
  isPodLevelResource,
  roundUpToMilli,
} from '../resource-list.ts';
import { defaultVolumes } from '../volume/volume-defaults.ts';

export function defaultPod(pod: SpecObject<PodSpec> & { status?: PodIps }): void {
  const { spec } = pod;
  defaultPodSpec(spec);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  agreeOnIps(pod.status);
  requestWhatIsLimited(spec.containers);
  requestWhatIsLimited(spec.initContainers);
  defaultPodLevelLimits(spec);
  defaultPodLevelRequests(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) {
    publishPorts(spec.containers);
    publishPorts(spec.initContainers);
  }
}

export function defaultPodTemplate(template: PodTemplateSpec | null | undefined): void {
  if (template?.spec != null) defaultPodSpec(template.spec);
}

/** Common to pods and templates. */
export function defaultPodSpec(spec: PodSpec): void {
  agreeOnServiceAccount(spec);
  defaultVolumes(spec.volumes);
  defaultContainers(spec.containers);
  defaultContainers(spec.initContainers);
  defaultContainers(spec.ephemeralContainers);
  roundUpToMilli(spec.overhead);
  roundUpToMilli(spec.resources?.limits);
  roundUpToMilli(spec.resources?.requests);
}

/** A deprecated name of the same field; the new one wins. */
export function agreeOnServiceAccount(spec: PodSpec): void {
  spec.serviceAccountName ||= spec.serviceAccount ?? '';
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else {
    delete spec.serviceAccountName;
    delete spec.serviceAccount;
  }
}

interface PodIps {
  podIP?: string;
  podIPs?: { ip: string }[];
}

/** If the single address differs from the first of the list, the single one wins, since old kubelets set it. */
function agreeOnIps(status: PodIps | undefined): void {
  if (status == null) return;
  if (status.podIP && status.podIP !== status.podIPs?.[0]?.ip) status.podIPs = [{ ip: status.podIP }];
  const first = status.podIPs?.[0]?.ip;
  if (first) status.podIP = first;
}

function defaultContainers(containers: readonly (Container | EphemeralContainer)[] | undefined): void {
  for (const container of containers ?? []) {
    container.imagePullPolicy ||= imagePullPolicyOf(container.image ?? '');
    roundUpToMilli(container.resources?.limits);
    roundUpToMilli(container.resources?.requests);
  }
}

function requestWhatIsLimited(containers: readonly Container[] | undefined): void {
  for (const { resources } of containers ?? []) {
    if (resources?.limits != null)
      resources.requests = fillResourceList(resources.requests ?? {}, resources.limits);
    else if (wasSentEmpty(resources, 'limits') && resources!.requests == null)
      noteEmpty(resources!, 'requests');
  }
}

/** Uses the containers' limits of huge pages, if the pod has resources but not these. */
function defaultPodLevelLimits(spec: PodSpec): void {
  const { resources } = spec;
  if (resources == null || (isEmpty(resources.limits) && isEmpty(resources.requests))) return;
  const limits = resources.limits ?? {};
  const ofContainers = aggregateContainerLimits(spec);
  for (const name in ofContainers) {
    if (isHugePages(name) && resources.requests?.[name] === undefined) limits[name] ??= ofContainers[name]!;
  }
  if (!isEmpty(limits)) resources.limits = limits;
}

/** Uses the sum of the containers' requests, or otherwise the pod's own limit. */
function defaultPodLevelRequests(spec: PodSpec): void {
  const { resources } = spec;
  if (resources == null || isEmpty(resources.limits)) return;
  const requests = resources.requests ?? {};
  const ofContainers = aggregateContainerRequests(spec);
  for (const name in ofContainers) {
    if (isPodLevelResource(name) && isOvercommitAllowed(name)) requests[name] ??= ofContainers[name]!;
  }
  for (const name in resources.limits) {
    if (isPodLevelResource(name)) requests[name] ??= resources.limits[name]!;
  }
  if (!isEmpty(requests)) resources.requests = requests;
}

/** On the host's network a container's port is the host's port. */
function publishPorts(containers: readonly Container[] | undefined): void {
  for (const container of containers ?? []) {
    for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
  }
}

function isEmpty(list: object | undefined): boolean {
  for (const _ in list) return false;
  return true;
}
