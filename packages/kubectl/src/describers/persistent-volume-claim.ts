import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import { describeClaimFields, type ClaimCondition, type PersistentVolumeClaim } from './claim.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { DescriptionText, timeText } from './text.ts';

type Pod = Live<core.Pod>;

export const describePersistentVolumeClaim: Describer = async (object, context) => {
  const claim: PersistentVolumeClaim = object;
  const { name = '', namespace = '', deletionTimestamp } = object.metadata;
  const pods = await context.list<Pod>(`/api/v1/namespaces/${namespace}/pods`);
  const users = pods
    .filter(({ spec }) => spec?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name))
    .map(({ metadata }) => metadata.name ?? '');
  const text = new DescriptionText();
  text.field(0, 'Name', name);
  text.field(0, 'Namespace', namespace);
  const status = deletionTimestamp
    ? terminating(deletionTimestamp, context.nowMs)
    : (claim.status?.phase ?? '');
  describeClaimFields(text, claim, '', status);
  text.field(0, 'Used By', users.length === 0 ? '<none>' : users[0]);
  for (const user of users.slice(1)) text.line(0, `\t${user}`);
  describeConditions(text, claim.status?.conditions ?? []);
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};

/** How long ago the deletion was requested. */
export const terminating = (deletionTimestamp: string, nowMs: number): string =>
  `Terminating (lasts ${humanDuration(nowMs - Date.parse(deletionTimestamp))})`;

function describeConditions(text: DescriptionText, conditions: readonly ClaimCondition[]): void {
  if (conditions.length === 0) return;
  text.line(0, 'Conditions:');
  text.line(1, 'Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage');
  text.line(1, '----\t------\t-----------------\t------------------\t------\t-------');
  for (const condition of conditions) {
    const { type, status, lastProbeTime, lastTransitionTime, reason = '', message = '' } = condition;
    const times = `${timeText(lastProbeTime)} \t${timeText(lastTransitionTime)}`;
    text.line(1, `${type} \t${status} \t${times} \t${reason} \t${message}`);
  }
}
