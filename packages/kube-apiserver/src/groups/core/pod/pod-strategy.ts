/** The strategies of pods, by endpoint. */
import { formatTime } from '@coxswain/apimachinery';
import { goEqual } from '@coxswain/schema';
import { PodSpec } from '@coxswain/api/core/v1/pod-spec.ts';
import type { ApiRequest, DeleteOptions, Strategy } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { StatusEndpoint } from '../../resource.ts';
import { as, type AnyObject } from '../../any-object.ts';
import type { Services } from '../../services.ts';
import { clientsMetadata, keepMetadata } from '../../strategy.ts';
import { applyAppArmorAnnotations } from './app-armor.ts';
import { applyLabelKeys } from './label-keys.ts';
import { statedQosClass } from '@coxswain/api/core/v1/pod/quality-of-service.ts';

export const podStrategy: Partial<Strategy<AnyObject>> = {
  returnDeletedObject: true,
  prepareForUpdate: countSpecChange,
  gracePeriodSeconds: (object, options) => gracePeriodOf(as<Pod>(object), options),
};

/** The part that depends on feature gates. */
export const podServerStrategy = ({ features }: Services): Partial<Strategy<AnyObject>> => ({
  prepareForCreate(object, request) {
    const pod = as<Pod>(object);
    const spreadsByLabelKeys = features.enabled('MatchLabelKeysInPodTopologySpreadSelectorMerge');
    pod.metadata.generation = 1;
    pod.status = { phase: 'Pending', qosClass: statedQosClass(pod) };
    if (pod.spec.schedulingGates?.length) {
      pod.status.conditions = [schedulingGated(formatTime(request.receivedAtMs))];
    }
    applyLabelKeys(pod, spreadsByLabelKeys);
    for (const warning of applyAppArmorAnnotations(pod)) request.warn(warning);
  },
});

const schedulingGated = (now: string) =>
  ({
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }) as unknown as NonNullable<Pod['status']['conditions']>[number];

/** A pod that was never scheduled or has finished needs no grace period. */
function gracePeriodOf({ spec, status }: Pod, options: DeleteOptions): number {
  if (!spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const period = options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}

export const podStatusEndpoint: StatusEndpoint = {
  // Of which only the class remains.
  writableOutside: 'on create',
  keepsMetadata: ['deletionTimestamp', 'ownerReferences'],
  prepareForUpdate(object, old) {
    const [{ status }, before] = [as<Pod>(object), as<Pod>(old)];
    if (!status.qosClass && before.status.qosClass) status.qosClass = before.status.qosClass;
    keepObservedGenerations(status, before.status);
  },
};

/** Clients older than `observedGeneration` drop it; known values are kept. */
function keepObservedGenerations(status: Pod['status'], old: Pod['status']): void {
  if (!status.observedGeneration && old.observedGeneration)
    status.observedGeneration = old.observedGeneration;
  const before = new Map<string, number[]>();
  for (const { type, observedGeneration = 0 } of old.conditions ?? []) {
    before.set(type, [...(before.get(type) ?? []), observedGeneration]);
  }
  for (const condition of status.conditions ?? []) {
    const earlier = before.get(condition.type)?.shift();
    if (!condition.observedGeneration && earlier) condition.observedGeneration = earlier;
  }
}

/** `/ephemeralcontainers`: changes only these. */
export function prepareEphemeralContainers(object: AnyObject, old: AnyObject, request: ApiRequest): void {
  const [pod, before] = [as<Pod>(object), as<Pod>(old)];
  const { ephemeralContainers } = pod.spec;
  pod.spec = { ...before.spec };
  if (ephemeralContainers === undefined) delete pod.spec.ephemeralContainers;
  else pod.spec.ephemeralContainers = ephemeralContainers;
  keepEverythingElse(object, old);
  countSpecChange(object, old, request);
}

type Container = Pod['spec']['containers'][number];

/** `/resize`: changes only the containers' resources. Other changes of containers are left to validation. */
export function prepareResize(object: AnyObject, old: AnyObject, request: ApiRequest): void {
  const [pod, before] = [as<Pod>(object), as<Pod>(old)];
  const { initContainers = [], resources } = pod.spec;
  // An empty list is decoded as absent.
  const containers = pod.spec.containers ?? [];
  if (
    containers.length === before.spec.containers.length &&
    initContainers.length === (before.spec.initContainers ?? []).length
  ) {
    pod.spec = { ...before.spec, containers: onlyResized(containers, before.spec.containers) };
    if (initContainers.length > 0) {
      pod.spec.initContainers = onlyResized(initContainers, before.spec.initContainers ?? []);
    }
    if (resources === undefined) delete pod.spec.resources;
    else pod.spec.resources = resources;
    keepEverythingElse(object, old);
  }
  countSpecChange(object, old, request);
}

function onlyResized(containers: Container[], old: readonly Container[]): Container[] {
  if (containers.some(({ name }, i) => name !== old[i]!.name)) return containers;
  return containers.map(({ resources, resizePolicy }, i) => {
    const container = { ...old[i]!, resources };
    if (resizePolicy === undefined) delete container.resizePolicy;
    else container.resizePolicy = resizePolicy;
    return container;
  });
}

function keepEverythingElse(object: AnyObject, old: AnyObject): void {
  object.status = old.status;
  keepMetadata(object.metadata, old.metadata, clientsMetadata);
}

function countSpecChange(object: AnyObject, old: AnyObject, _request: ApiRequest): void {
  if (!goEqual(PodSpec, object.spec, old.spec, 'semantic'))
    object.metadata.generation = (object.metadata.generation ?? 0) + 1;
}
