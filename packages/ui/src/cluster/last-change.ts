/** Who last changed the desired state of an object, from its managed fields. */

import type { KubeObject } from '@coxswain/apimachinery';

export interface Change {
  readonly manager: string;
  readonly timeMs: number;
  readonly isCreation: boolean;
}

/** Status updates do not count as changes. */
export function lastChange({
  managedFields,
  creationTimestamp = '',
}: KubeObject['metadata']): Change | undefined {
  let last: Change | undefined;
  for (const { manager = '', time, subresource } of managedFields ?? []) {
    if (time === undefined || subresource === 'status') continue;
    const timeMs = Date.parse(time);
    if (last === undefined || timeMs >= last.timeMs)
      last = { manager, timeMs, isCreation: timeMs - Date.parse(creationTimestamp) < 1000 };
  }
  return last;
}

/**
 * Who last set the number of replicas through the scale subresource: `kubectl`, `kube-controller-manager` for an
 * autoscaler. The server notes no time for it.
 */
export const scaledBy = ({ managedFields }: KubeObject['metadata']): string | undefined =>
  managedFields?.findLast(({ subresource }) => subresource === 'scale')?.manager;
