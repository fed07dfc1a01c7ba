/** The resources of a pod as a whole: `status.resources` and `status.allocatedResources`. */
import {
  aggregateContainerLimits,
  aggregateContainerRequests,
} from '@coxswain/api/core/v1/pod/pod-resources.ts';
import { addResourceList, type ResourceList } from '@coxswain/api/core/v1/resource-list.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

export interface PodResources {
  readonly resources: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly allocatedResources?: ResourceList;
}

/**
 * Before the pod is running according to the API, the sum of its containers' requests; afterwards the limits of its
 * cgroup, which a resize under way has not changed yet: there is a pod-level limit only if every container has one.
 */
export function podResources(pod: Pod, beforeResize?: Pod): PodResources {
  const requests = whole(pod, 'requests');
  const limits = whole(pod, 'limits');
  const reported = pod.status?.phase === 'Running' ? enforced(beforeResize ?? pod) : { requests, limits };
  return {
    resources: {
      ...(isEmpty(reported.limits) ? {} : { limits: reported.limits }),
      ...(isEmpty(reported.requests) ? {} : { requests: reported.requests }),
    },
    ...(isEmpty(requests) ? {} : { allocatedResources: requests }),
  };
}

/** Pod-level limits require that every container has one. */
export function isBounded({ spec }: Pod, resource: 'cpu' | 'memory'): boolean {
  if (spec?.resources?.limits?.[resource] !== undefined) return true;
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].every(
    ({ resources }) => resources?.limits?.[resource] !== undefined,
  );
}

function whole({ spec }: Pod, kind: 'requests' | 'limits'): ResourceList {
  const aggregate = kind === 'requests' ? aggregateContainerRequests : aggregateContainerLimits;
  const total: ResourceList = { ...aggregate(spec!), ...spec!.resources?.[kind] };
  const overhead = spec!.overhead ?? {};
  if (kind === 'requests') addResourceList(total, overhead);
  else
    addResourceList(
      total,
      only(overhead, (name) => total[name] !== undefined),
    );
  return total;
}

const counted = ['cpu', 'memory'] as const;

function enforced(pod: Pod) {
  const own = pod.spec?.resources;
  const isCounted = (name: string) => counted.some((each) => each === name);
  const isLimit = (name: string) => counted.some((each) => each === name && isBounded(pod, each));
  return {
    requests: { ...own?.requests, ...only(whole(pod, 'requests'), isCounted) },
    limits: { ...own?.limits, ...only(whole(pod, 'limits'), isLimit) },
  };
}

const only = (list: ResourceList, isWanted: (name: string) => boolean): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => isWanted(name)));

const isEmpty = (list: ResourceList): boolean => Object.keys(list).length === 0;
