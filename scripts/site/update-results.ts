/** `npm run docs:results`: writes into the pages about compatibility what the recordings and results hold now. */

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { resultPages, withResults } from './results.ts';

for (const { file, language } of resultPages) {
  const page = path.join(import.meta.dirname, '../..', file);
  await writeFile(page, withResults(await readFile(page, 'utf8'), language));
}
