/** The data that the overview keeps of each pod: a large cluster has a hundred thousand of them. */

import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { amountOf } from '../../controls/amounts.ts';
import { objectSource } from '../../cluster/object-source.ts';
import { scopedSpec } from '../../cluster/scope.ts';
import { isUnwell, type Health } from '../../health/health.ts';
import { lostNodeOf, podHealth } from '../../health/pod-health.ts';

export interface MapPod extends KubeObject {
  readonly node: string;
  readonly health: Health;
  /** The sum of the requests of its containers. */
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly restarts: number;
  /** The lost node of an unhealthy pod, or the UID of its controller: many pods of it share a reason. */
  readonly group: string | undefined;
}

export const mapPods = scopedSpec<Live<Pod>, MapPod>({
  key: 'overview pods',
  kind: { group: '', version: 'v1', resource: 'pods' },
  sourceOf: (pods) => objectSource(pods, {}, mapPod),
});

export function mapPod(pod: Live<Pod>): MapPod {
  const { metadata, spec, status } = pod;
  const { uid, namespace, name, creationTimestamp, resourceVersion } = metadata;
  const requests = (spec?.containers ?? []).map(({ resources }) => resources?.requests ?? {});
  const sum = (resource: string) => requests.reduce((all, one) => all + amountOf(one[resource]), 0);
  const health = podHealth(pod);
  return {
    metadata: { uid, namespace, name, creationTimestamp, resourceVersion } as KubeObject['metadata'],
    node: spec?.nodeName ?? '',
    health,
    group: isUnwell(health)
      ? (lostNodeOf(pod) ?? metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid)
      : undefined,
    cpuCores: sum('cpu'),
    memoryBytes: sum('memory'),
    restarts: (status?.containerStatuses ?? []).reduce((all, { restartCount }) => all + restartCount, 0),
  };
}
