import type { Tone } from '../../../controls/tone.tsx';
import { isRevision, type Moment } from './moments.ts';

/** What somebody wanted stands out from what came of it. */
export function toneOf(moment: Moment): Tone {
  if (!isRevision(moment)) return moment.event.isWarning ? 'warn' : 'idle';
  const { change, diff } = moment;
  if (change.kind !== 'changed') return change.kind === 'created' ? 'ok' : 'bad';
  return diff.some((line) => !line.slice(2).startsWith('status.')) ? 'info' : 'idle';
}
