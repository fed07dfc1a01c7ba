/** The combined resources of a pod's containers (KEP-753): sidecars add to everything that starts after them. */

import type { Container } from '../container.ts';
import type { PodSpec } from '../pod-spec.ts';
import { addResourceList, maxResourceList, type ResourceList } from '../resource-list.ts';

export const aggregateContainerRequests = (spec: PodSpec): ResourceList =>
  aggregate(spec, (container) => container.resources?.requests);

export const aggregateContainerLimits = (spec: PodSpec): ResourceList =>
  aggregate(spec, (container) => container.resources?.limits);

function aggregate(
  spec: PodSpec,
  resourcesOf: (container: Container) => ResourceList | undefined,
): ResourceList {
  const total: ResourceList = {};
  for (const container of spec.containers ?? []) addResourceList(total, resourcesOf(container));
  const sidecars: ResourceList = {};
  const whileStarting: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    const own = resourcesOf(container);
    const needed: ResourceList = {};
    if (container.restartPolicy === 'Always') {
      addResourceList(total, own);
      addResourceList(sidecars, own);
    } else {
      addResourceList(needed, own);
    }
    addResourceList(needed, sidecars);
    maxResourceList(whileStarting, needed);
  }
  maxResourceList(total, whileStarting);
  return total;
}
