/** The condition that says why a pod was ended by the cluster. */
import { formatTime } from '@coxswain/apimachinery';
import type { Pod } from '../objects.ts';

const type = 'DisruptionTarget';

/** A later time only when the status changes; the generation is that of the pod as it is known here. */
export function disruptionTarget(
  pod: Pod,
  status: 'True' | 'False',
  nowMs: number,
  about: { readonly reason?: string; readonly message?: string } = {},
) {
  const known = pod.status?.conditions?.find((condition) => condition.type === type);
  const { generation } = pod.metadata;
  return {
    type,
    status,
    ...about,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime:
      known?.status === status && known.lastTransitionTime ? known.lastTransitionTime : formatTime(nowMs),
  };
}
