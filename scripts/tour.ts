/**
 * `npm run tour`: records what the tour is about, and writes its lists and the lines of its links again. With `--check`
 * it only names the chapters that are out of date, and fails if there are any. Lines are those of the files, hence the plain Node.
 */

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rewritten } from './tour/blocks.ts';
import { recordTour } from './tour/record.ts';

const root = path.join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

const recording = await recordTour();
let stale = 0;
for (const file of globSync('docs/tour/**/*.md', { cwd: root })) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const current = rewritten(text, file, recording);
  if (current === text) continue;
  stale++;
  console.log(`${file}: ${firstDifference(text, current)}`);
  if (!isCheck) writeFileSync(path.join(root, file), current);
}
process.exit(isCheck && stale > 0 ? 1 : 0);

function firstDifference(text: string, current: string): string {
  const now = current.split('\n');
  const lines = text.split('\n');
  const index = now.findIndex((line, at) => line !== lines[at]);
  return `line ${index + 1} is now "${now[index]}"`;
}
