/** Conditions in words: the state, since when, and why. */

import type { KubeObject } from '@coxswain/apimachinery';
import { Ago } from '../../../controls/ago.tsx';
import { Dot, type Tone } from '../../../controls/tone.tsx';
import type { AnyCondition } from '../../../health/workload-health.ts';
import { inLanguages } from '../../../language/language.ts';

const text = inLanguages(
  {
    title: 'Conditions',
    is: (type: string, status: string) =>
      status === 'True' ? type : status === 'False' ? `Not ${type}` : `${type} is unknown`,
  },
  {
    title: '状况',
    is: (type: string, status: string) =>
      status === 'True' ? type : status === 'False' ? `非 ${type}` : `${type} 未知`,
  },
);

/** Conditions whose `True` indicates trouble. */
const troubles =
  /(?:Pressure|Failure|Failed|Unavailable|Unschedulable|Disrupted|DisruptionTarget|Suspended|Dangling|NotReady|Error)$/;

/** Conditions whose `True` says that something is waited for. */
const waits = /Remaining$/;

/** Conditions that are neither good nor bad: an autoscaler at one of its bounds does as it was told. */
const indifferent: ReadonlySet<string> = new Set(['ScalingLimited']);

export function Conditions({ object }: { readonly object: KubeObject }) {
  const { status } = object as { readonly status?: { readonly conditions?: readonly AnyCondition[] } };
  const conditions = Array.isArray(status?.conditions) ? status.conditions : [];
  if (conditions.length === 0) return null;
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{text().title}</h2>
      </div>
      <ul class="conditions">
        {conditions.map((condition) => (
          <li key={condition.type}>
            <Dot tone={toneOf(condition)} />
            <span class="condition-name">{text().is(condition.type, condition.status)}</span>
            <span class="condition-why">
              {condition.message || ''}
              {condition.reason !== undefined && condition.reason !== '' && <code>{condition.reason}</code>}
            </span>
            <span class="condition-since">
              <Ago time={condition.lastTransitionTime} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function toneOf({ type, status }: AnyCondition): Tone {
  if (status !== 'True' && status !== 'False') return 'warn';
  if (indifferent.has(type)) return 'idle';
  if (waits.test(type)) return status === 'True' ? 'warn' : 'ok';
  return (status === 'True') === troubles.test(type) ? 'bad' : 'ok';
}
