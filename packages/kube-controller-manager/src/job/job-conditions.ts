/** The conditions of jobs. */

import { formatTime } from '@coxswain/apimachinery';
import type { Job } from '../objects.ts';

export type JobStatus = NonNullable<Job['status']>;
export type JobCondition = NonNullable<JobStatus['conditions']>[number];

export function jobCondition(
  type: string,
  status: string,
  reason: string,
  message: string,
  nowMs: number,
): JobCondition {
  const now = formatTime(nowMs);
  return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}

export const trueCondition = (status: JobStatus | undefined, type: string): JobCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');

export const isFinishedJob = ({ status }: Job): boolean =>
  trueCondition(status, 'Complete') !== undefined || trueCondition(status, 'Failed') !== undefined;

/** Returns the same status if it already has the condition; a false condition is not added. */
export function withJobCondition(status: JobStatus, added: JobCondition): JobStatus {
  const conditions = status.conditions ?? [];
  const before = conditions.find((condition) => condition.type === added.type);
  if (before === undefined)
    return added.status === 'False' ? status : { ...status, conditions: [...conditions, added] };
  const isSame =
    before.status === added.status && before.reason === added.reason && before.message === added.message;
  return isSame
    ? status
    : { ...status, conditions: conditions.map((condition) => (condition === before ? added : condition)) };
}
