import type { Live } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Health } from './health.ts';

export function nodeHealth({ spec, status }: Live<Node>): Health {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True')
    return {
      tone: 'bad',
      state: 'NotReady',
      reason: ready?.message || 'the node has not reported its state',
    };
  const pressed = conditions.find(({ type, status }) => type !== 'Ready' && status === 'True');
  if (pressed !== undefined) return { tone: 'bad', state: pressed.type, reason: pressed.message ?? '' };
  if (spec?.unschedulable)
    return { tone: 'warn', state: 'SchedulingDisabled', reason: 'the node is cordoned' };
  return { tone: 'ok', state: 'Ready', reason: '' };
}
