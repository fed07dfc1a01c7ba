/** Which pages hold results that are in this repository, and where they are written into them. */

import { compatibilityTable } from './compatibility.ts';
import { performanceTable } from './performance.ts';
import type { Language } from './table.ts';
import { walksTable } from './walks.ts';

interface ResultPage {
  readonly file: string;
  readonly language: Language;
  readonly table: (language: Language) => string;
}

const inBothLanguages = (page: string, table: ResultPage['table']): readonly ResultPage[] => [
  { file: `docs/${page}`, language: 'en', table },
  { file: `docs/zh/${page}`, language: 'zh', table },
];

export const resultPages: readonly ResultPage[] = [
  ...inBothLanguages('trust/compatibility.md', compatibilityTable),
  ...inBothLanguages('trust/performance.md', performanceTable),
  ...inBothLanguages('build/other-languages.md', walksTable),
];

const begin = '<!-- results: written by npm run docs:results -->';
const end = '<!-- /results -->';
const block = new RegExp(`${begin}[\\s\\S]*?${end}`);

/** A page with its block of results as they are now. @throws Error for a page without one */
export function withResults(text: string, { file, language, table }: ResultPage): string {
  if (!block.test(text)) throw new Error(`${file} has no block that begins with ${begin}`);
  return text.replace(block, () => `${begin}\n\n${table(language)}\n${end}`);
}
