/** The condition that states why the cluster ended a pod. */
import { formatTime } from '@coxswain/apimachinery';
import type { Pod } from '../objects.ts';

const type = 'DisruptionTarget';

/** The transition time changes only with the status; the generation is that of the cached pod. */
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
