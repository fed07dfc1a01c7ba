/** What pages say of results is what the recordings in this repository hold. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resultPages, withResults } from '../../scripts/site/results/pages.ts';

test.each(resultPages)(
  'the results in $file are up to date (npm run docs:results && npx oxfmt docs)',
  (page) => {
    const text = readFileSync(path.join(import.meta.dirname, '../..', page.file), 'utf8');
    expect(cellsOf(text)).toEqual(cellsOf(withResults(text, page)));
  },
);

/** Without the spaces by which tables are aligned. */
const cellsOf = (page: string): readonly string[] =>
  page.split('\n').map((line) => line.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---'));
