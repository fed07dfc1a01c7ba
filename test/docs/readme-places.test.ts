/** The READMEs name lines of sources, which move: those that they show are where the step is, or a few lines beside it. */

import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const program = path.join(root, 'packages/coxswain/bin/coxswain.mjs');
const pages = ['README.md', 'README.zh.md'];
const sources = execFileSync('git', ['ls-files', 'packages/**/*.ts'], { cwd: root, encoding: 'utf8' }).split(
  '\n',
);
/** Lines move with each change of a file. By less than this, a reader still finds what is meant. */
const linesOfScreen = 20;

/** Lines of a page's session that end with a place: what comes before, and the place. */
const placesIn = (page: string, isWanted: (before: string) => boolean) =>
  Array.from(
    readFileSync(path.join(root, page), 'utf8').matchAll(/^(\S.*|[ +].*?) +(?:…\/)?(\S+\.ts:\d+)$/gm),
    ([, before, place]) => ({ before: before!.trim(), place: place! }),
  ).filter(({ before }) => isWanted(before));

const isStep = (before: string): boolean => before.startsWith('+');

test('the session shows places of routes as the command prints them', { timeout: 60_000 }, async () => {
  const put = ['--method=PUT', '/apis/apps/v1/namespaces/default/deployments/web/status'];
  // In a process of its own: what a test loads has been changed, and has other lines.
  const { stdout: printed } = await promisify(execFile)(
    process.execPath,
    [program, 'routes', '--json', ...put],
    {
      env: { ...process.env, COXSWAIN_FROM_SOURCE: '1', KUBECONFIG: '' },
    },
  );
  for (const page of pages) {
    const shown = placesIn(page, (before) => !isStep(before));
    expect(shown.length).toBeGreaterThan(3);
    for (const { place } of shown) {
      const [file, line] = place.split(':');
      const found = Array.from(
        printed.matchAll(new RegExp(`${RegExp.escape(file!)}:(\\d+)"`, 'g')),
        ([, at]) => Math.abs(Number(at) - Number(line)),
      );
      expect(Math.min(...found), `${page}: ${place}`).toBeLessThanOrEqual(linesOfScreen);
    }
  }
});

test.each(pages)('%s shows steps of a trace where they are', (page) => {
  const shown = placesIn(page, isStep);
  expect(shown.length).toBeGreaterThan(1);
  for (const { before, place } of shown) {
    const [end = '', line = ''] = place.split(':');
    const [file = ''] = sources.filter((source) => source.replace('/src/', '/').endsWith(end));
    const text = readFileSync(path.join(root, file), 'utf8').split('\n');
    const step = before.split(/\s+/).at(-1)!;
    const near = text.slice(Math.max(0, Number(line) - linesOfScreen), Number(line) + linesOfScreen);
    expect(near.join('\n'), place).toContain(step);
  }
});
