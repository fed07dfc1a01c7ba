import type { PodInfo } from '../cache/pod-info.ts';

const profileNumbers = new WeakMap<object, number>();
let profiles = 0;

/**
 * All of a pod that a plugin may look at whose answers are kept, as a text: the same for pods that are alike.
 * @param profile stands for the plugins that answer
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
