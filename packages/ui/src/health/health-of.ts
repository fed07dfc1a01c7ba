import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ApiResource } from '@coxswain/client';
import type { Health } from './health.ts';
import { nodeHealth } from './node-health.ts';
import { podHealth } from './pod-health.ts';
import { workloadHealth } from './workload-health.ts';

/** The health of an object of any kind; an object that reports nothing is healthy. */
export function healthOf({ group, kind }: Pick<ApiResource, 'group' | 'kind'>, object: KubeObject): Health {
  if (group === '' && kind === 'Pod') return podHealth(object as Live<Pod>);
  if (group === '' && kind === 'Node') return nodeHealth(object as Live<Node>);
  return workloadHealth(object);
}
