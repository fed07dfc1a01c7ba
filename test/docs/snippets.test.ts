/** A block of code that bears the name of a file of the repository is that file, which a test runs. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

const snippets = globSync('docs/**/*.md', { cwd: root }).flatMap((page) => {
  const text = readFileSync(path.join(root, page), 'utf8');
  return [...text.matchAll(/^```\w+ \[([^\]]+\/[^\]]+)\]\n([\s\S]*?)^```$/gm)].map(
    ([, file, code]) => [page, file!, code!] as const,
  );
});

test.each(snippets)('%s shows %s as it is', (_page, file, code) => {
  expect(existsSync(path.join(root, file)), file).toBe(true);
  expect(code).toBe(readFileSync(path.join(root, file), 'utf8'));
});
