/** Who last asked for something else of an object, as its managed fields tell. */

import type { KubeObject } from '@coxswain/apimachinery';

export interface Change {
  readonly manager: string;
  readonly timeMs: number;
  readonly isCreation: boolean;
}

/** Reports of status are no changes of what was asked for. */
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
