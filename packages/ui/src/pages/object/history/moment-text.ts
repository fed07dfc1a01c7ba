import { inLanguages } from '../../../language/language.ts';
import { isRevision, type Moment } from './moments.ts';

export const changeText = inLanguages(
  { created: 'created', changed: 'changed', deleted: 'deleted' },
  { created: '创建', changed: '修改', deleted: '删除' },
);

/** A moment in a few words: who did it, or what was reported. */
export const momentText = (moment: Moment): string =>
  isRevision(moment)
    ? [changeText()[moment.change.kind], moment.writer?.manager].filter(Boolean).join(' · ')
    : `${moment.event.reason}: ${moment.event.message}`;
