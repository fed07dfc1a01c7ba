import { inLanguages } from '../../language/language.ts';

const text = inLanguages({ busy: 'The cluster is still busy' }, { busy: '集群正在处理上一个操作' });

/** Why buttons are disabled while an action is in progress. */
export const whileBusy = (isBusy: boolean): string | undefined => (isBusy ? text().busy : undefined);
