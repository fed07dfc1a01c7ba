import { inLanguages } from '../../../language/language.ts';
import type { Moment } from './moments.ts';

export const changeText = inLanguages(
  { created: 'created', changed: 'changed', deleted: 'deleted' },
  { created: '创建', changed: '修改', deleted: '删除' },
);

/** A moment in a few words: who did it, or what was reported. */
export function momentText(moment: Moment): string {
  if ('event' in moment) return `${moment.event.reason}: ${moment.event.message}`;
  if ('state' in moment)
    return [moment.container, moment.state.name, moment.state.note].filter(Boolean).join(' · ');
  if ('work' in moment)
    return [moment.work.by, moment.work.name, moment.work.failure].filter(Boolean).join(' · ');
  return [changeText()[moment.change.kind], moment.writer?.manager].filter(Boolean).join(' · ');
}
