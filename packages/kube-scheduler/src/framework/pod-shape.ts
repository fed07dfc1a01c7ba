import type { PodInfo } from '../cache/pod-info.ts';

const profileNumbers = new WeakMap<object, number>();
let profiles = 0;

/**
 * Returns everything of a pod that plugins with cached results may depend on, as text that is equal for similar pods.
 * @param profile identifies the plugins
 */
export function shapeOf(
  { namespace, labelGroup, priority, requests, requestsForScore, hostPorts, pod }: PodInfo,
  profile: object,
): string {
  let number = profileNumbers.get(profile);
  if (number === undefined) profileNumbers.set(profile, (number = ++profiles));
  const { tolerations, nodeSelector, affinity, nodeName } = pod.spec ?? {};
  const { scalars, ...amounts } = requests;
  const { milliCpu, memoryBytes, ephemeralStorageBytes } = requestsForScore;
  const parts = [
    amounts,
    [...scalars],
    [milliCpu, memoryBytes, ephemeralStorageBytes],
    hostPorts,
    tolerations,
    nodeSelector,
    affinity,
    nodeName,
    priority,
  ];
  return `${number}\n${namespace}\n${labelGroup}\n${JSON.stringify(parts)}`;
}
