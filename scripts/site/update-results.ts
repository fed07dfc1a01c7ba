/** `npm run docs:results`: writes into pages what the recordings and results in this repository hold now. */

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { resultPages, withResults } from './results/pages.ts';

for (const page of resultPages) {
  const file = path.join(import.meta.dirname, '../..', page.file);
  await writeFile(file, withResults(await readFile(file, 'utf8'), page));
}
