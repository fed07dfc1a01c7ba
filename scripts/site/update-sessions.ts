/** `npm run docs:sessions`: writes into the pages of `docs/` what the commands of their sessions print now. */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasSession, played } from '../../test/docs/session.ts';

const docs = path.join(import.meta.dirname, '../../docs');
for (const file of await readdir(docs, { recursive: true })) {
  if (!file.endsWith('.md')) continue;
  const page = path.join(docs, file);
  const text = await readFile(page, 'utf8');
  if (hasSession(text)) await writeFile(page, await played(text));
}
