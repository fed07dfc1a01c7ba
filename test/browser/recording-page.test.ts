/** The page of a recording, in a real browser. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { recordingPage } from '../../packages/trace/src/html.ts';
import { ms, sample, step } from '../../packages/trace/src/recording.fixture.ts';
import type { Recording } from '../../packages/trace/src/recording.ts';
import { recordingPageParts } from '../../scripts/packs/recording-page.ts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** The page as it stands when its script has run. */
async function opened(recording: Recording): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'recording-page-'));
  try {
    const file = path.join(directory, 'page.html');
    await writeFile(file, await recordingPage(recording, await recordingPageParts()));
    const args = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${directory}/profile`];
    const { stdout } = await promisify(execFile)(chromium, [...args, '--dump-dom', `file://${file}`], {
      maxBuffer: 1 << 28,
      timeout: 100_000,
    });
    return stdout;
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

const rowsIn = (page: string): number => page.match(/<div class="row (?:undertaking|step)/g)?.length ?? 0;

test('it shows what was recorded, as text whatever it says', { timeout: 120_000 }, async () => {
  const [command, ...others] = sample.undertakings;
  const undertakings = [{ ...command!, name: 'kubectl <img src=x>' }, ...others];
  const page = await opened({ ...sample, undertakings });
  expect(page).toContain('data-ready-ms=');
  expect(page).toContain('kubectl &lt;img src=x&gt;</h1>');
  expect(page).not.toContain('<img');
  expect(rowsIn(page)).toBe(10);
});

test('of 100,000 steps, only what is seen stands in the page', { timeout: 120_000 }, async () => {
  const [command] = sample.undertakings;
  const undertakings = Array.from({ length: 1000 }, (_, index) => ({
    ...command!,
    id: index.toString(16).padStart(16, '0'),
    startNs: index * ms,
    steps: Array.from({ length: 100 }, (_none, at) => step(`step-${at}`, index + at / 100, 0.01)),
  }));
  const page = await opened({ ...sample, undertakings });
  expect(page).toContain('1,000 undertakings · 100,000 steps');
  expect(rowsIn(page)).toBeGreaterThan(10);
  expect(rowsIn(page)).toBeLessThan(100);
});
