import type { Tone } from '../../../controls/tone.tsx';
import type { Moment } from './moments.ts';

/** Changes that a user asked for stand out from their consequences. */
export function toneOf(moment: Moment): Tone {
  if ('event' in moment) return moment.event.isWarning ? 'warn' : 'idle';
  if ('state' in moment) return moment.state.tone;
  if ('work' in moment) return moment.work.failure === undefined ? 'idle' : 'bad';
  const { change, diff } = moment;
  if (change.kind !== 'changed') return change.kind === 'created' ? 'ok' : 'bad';
  return diff.some((line) => !line.slice(2).startsWith('status.')) ? 'info' : 'idle';
}
