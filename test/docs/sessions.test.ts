import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hasSession, played } from './session.ts';

const docs = path.join(import.meta.dirname, '../../docs');
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => [file, readFileSync(path.join(docs, file), 'utf8')] as const)
  .filter(([, text]) => hasSession(text));

test('there are pages with sessions', () => expect(pages.length).toBeGreaterThan(5));

// `npm run docs:sessions` writes into the pages what their commands print.
test.each(pages)('%s shows what its commands print', async (file, text) => {
  await expect(await played(text)).toMatchFileSnapshot(path.join(docs, file));
});
