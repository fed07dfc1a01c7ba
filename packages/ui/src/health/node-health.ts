import type { Live } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { inLanguages } from '../language/language.ts';
import type { Health } from './health.ts';

const text = inLanguages(
  { silent: 'the node has not reported its state', cordoned: 'the node is cordoned' },
  { silent: '节点尚未上报状态', cordoned: '节点已被封锁' },
);

export function nodeHealth({ spec, status }: Live<Node>): Health {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True')
    return {
      tone: 'bad',
      state: 'NotReady',
      reason: ready?.message || text().silent,
    };
  const pressed = conditions.find(({ type, status }) => type !== 'Ready' && status === 'True');
  if (pressed !== undefined) return { tone: 'bad', state: pressed.type, reason: pressed.message ?? '' };
  if (spec?.unschedulable) return { tone: 'warn', state: 'SchedulingDisabled', reason: text().cordoned };
  return { tone: 'ok', state: 'Ready', reason: '' };
}
