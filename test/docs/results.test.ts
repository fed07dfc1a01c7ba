/** What pages say of results is what the recordings in this repository hold. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resultPages, withResults } from '../../scripts/site/results.ts';

test.each(resultPages)(
  'the table of $file is up to date (npm run docs:results && npx oxfmt docs)',
  ({ file, language }) => {
    const page = readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');
    expect(cellsOf(page)).toEqual(cellsOf(withResults(page, language)));
  },
);

/** Without the spaces by which tables are aligned. */
const cellsOf = (page: string): readonly string[] =>
  page.split('\n').map((line) => line.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---'));
