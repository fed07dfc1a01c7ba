import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import type { ApiResource } from '@coxswain/client';
import { endpointSliceHealth } from './endpoint-slice-health.ts';
import type { Health } from './health.ts';
import { nodeHealth } from './node-health.ts';
import { podHealth } from './pod-health.ts';
import { workloadHealth } from './workload-health.ts';

/** The health of an object of any kind; an object that reports nothing is healthy. */
export function healthOf({ group, kind }: Pick<ApiResource, 'group' | 'kind'>, object: KubeObject): Health {
  if (group === '' && kind === 'Pod') return podHealth(object as Live<Pod>);
  if (group === '' && kind === 'Node') return nodeHealth(object as Live<Node>);
  if (group === 'discovery.k8s.io' && kind === 'EndpointSlice')
    return endpointSliceHealth(object as Live<EndpointSlice>);
  return workloadHealth(kind, object);
}
