import { inLanguages } from '../language/language.ts';

const text = inLanguages({ lost: 'coxswain does not answer' }, { lost: 'coxswain 没有响应' });

/** The error of a request that the page's server did not answer, in place of the browser's own. */
export const connectionLost = (cause?: unknown): Error => new Error(text().lost, { cause });
