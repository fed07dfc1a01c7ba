/** The tour shows what a recording made just now shows: `npm run tour` writes it again. */

import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { originals } from '../scripts/tour/originals.ts';

const root = path.join(import.meta.dirname, '..');
const chapters = globSync('docs/tour/**/*.md', { cwd: root });
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

test('every list and every link of the tour is that of a recording made now', () => {
  const script = path.join(root, 'scripts/tour.ts');
  const { status, stdout } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect({ status, stale: stdout }).toEqual({ status: 0, stale: '' });
}, 120_000);

const marks = (file: string): string[] =>
  textOf(file).match(/<!-- (?:steps|causes|figure): .*? -->|^#+ /gm) ?? [];

test('each chapter is there in both languages, with the same recordings and sections', () => {
  const english = chapters.filter((file) => path.dirname(file) === 'docs/tour');
  expect(english.length).toBeGreaterThan(10);
  for (const file of english) {
    const chinese = path.join('docs/tour/zh', path.basename(file));
    expect(chapters).toContain(chinese);
    expect(marks(chinese), chinese).toEqual(marks(file));
  }
});

test('every name of the original belongs to a step of the tour', () => {
  const reported = chapters.map(textOf).join('\n');
  const isReported = (name: string): boolean =>
    name.endsWith('()')
      ? reported.includes(`: \`${name.slice(0, -2)}\``)
      : reported.includes(`\`${name}\`: `) || reported.includes(`- \`${name}/`);
  expect(Object.keys(originals).filter((name) => !isReported(name))).toEqual([]);
});
