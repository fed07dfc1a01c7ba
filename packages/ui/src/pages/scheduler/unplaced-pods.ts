/** Pods that wait for a node. */

import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { objectSource } from '../../cluster/object-source.ts';
import { scopedSpec } from '../../cluster/scope.ts';

export interface UnplacedPod extends KubeObject {
  readonly isGated: boolean;
  /** The scheduler's message after its last attempt; empty before the first. */
  readonly message: string;
}

export const unplacedPods = scopedSpec<Live<Pod>, UnplacedPod>({
  key: 'pods without a node',
  kind: { group: '', version: 'v1', resource: 'pods' },
  sourceOf: (pods) =>
    objectSource(pods, { fieldSelector: 'spec.nodeName=,status.phase=Pending' }, unplacedPod),
});

function unplacedPod({ metadata, spec, status }: Live<Pod>): UnplacedPod {
  const { uid, namespace, name, resourceVersion, creationTimestamp } = metadata;
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return {
    metadata: { uid, namespace, name, resourceVersion, creationTimestamp } as KubeObject['metadata'],
    isGated: (spec?.schedulingGates?.length ?? 0) > 0,
    message: scheduled?.message ?? '',
  };
}
