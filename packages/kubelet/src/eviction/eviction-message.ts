/** The message of an evicted pod; texts and annotations are upstream's, which tools read. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { canonicalQuantity } from '@coxswain/apimachinery';
import { amountIn, type ContainerUse, type PodUse } from './pod-usage.ts';
import { signals, type Observations, type StarvedResource } from './signals.ts';
import { amountText, availableText, bytesText, type Threshold } from './thresholds.ts';

export const evictedReason = 'Evicted';

export interface EvictionMessage {
  readonly message: string;
  readonly annotations: Readonly<Record<string, string>>;
}

export function evictionMessage(
  resource: StarvedResource,
  pod: Pod,
  use: PodUse | undefined,
  due: readonly Threshold[],
  observations: Observations,
): EvictionMessage {
  const low = `The node was low on resource: ${resource}. ${thresholdText(resource, due, observations)}`;
  if (use === undefined) return { message: low, annotations: {} };
  const ofPod = resource === 'memory' ? podPart(pod, use) : undefined;
  const greedy = greedyContainers(resource, pod, use);
  const reported = greedy.map(
    ({ name, used, request }) =>
      `Container ${name} was using ${used}, request is ${request}, has larger consumption of ${resource}. `,
  );
  return {
    message: [low, ofPod?.message ?? '', ...reported].join(''),
    annotations: {
      ...ofPod?.annotations,
      offending_containers: greedy.map(({ name }) => name).join(','),
      offending_containers_usage: greedy.map(({ used }) => used).join(','),
      starved_resource: resource,
    },
  };
}

function thresholdText(
  resource: StarvedResource,
  due: readonly Threshold[],
  observations: Observations,
): string {
  for (const { signal, value } of due) {
    const observed = observations.get(signal);
    if (signals[signal].resource !== resource || observed === undefined) continue;
    return `Threshold quantity: ${amountText(value, observed)}, available: ${availableText(signal, observed)}. `;
  }
  return '';
}

/** For a pod with pod-level requests. */
function podPart({ metadata, spec }: Pod, { memoryBytes }: PodUse): EvictionMessage | undefined {
  const request = spec?.resources?.requests?.['memory'];
  if (request === undefined) return undefined;
  const used = bytesText(memoryBytes);
  const name = metadata?.name ?? '';
  return {
    message: `Pod ${name} was using ${used}, request is ${canonicalQuantity(request)}, has larger consumption of memory. `,
    annotations: { offending_pod: name, offending_pod_usage: used },
  };
}

function greedyContainers(resource: StarvedResource, { spec }: Pod, use: PodUse) {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return use.containers.flatMap((container) => {
    const declared = containers.find(({ name }) => name === container.name);
    const usedBytes = usedOf(resource, container);
    if (declared === undefined || usedBytes === undefined) return [];
    const requests = declared.resources?.requests;
    if (usedBytes <= (amountIn(requests, resource) ?? 0)) return [];
    const request = canonicalQuantity(requests?.[resource] ?? '0');
    return [{ name: container.name, used: bytesText(usedBytes), request }];
  });
}

function usedOf(resource: StarvedResource, { memoryBytes, writable, logs }: ContainerUse) {
  if (resource === 'memory') return memoryBytes;
  if (resource !== 'ephemeral-storage' || writable === undefined || logs === undefined) return undefined;
  return writable.bytes + logs.bytes;
}
