/** The exercises of the pages, done as a reader does them: a check holds after the solution, and not before. */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withLiveClusters } from '../../scripts/site/live-clusters.ts';
import { openPage, type OpenPage } from './chromium-page.ts';

const root = path.join(import.meta.dirname, '../..');
/** A loaded machine is no failure. */
const waitMsMax = 60_000;
/** Of the cluster's time: whatever is to happen without the solution has happened by then. */
const aMinuteMs = 60_000;

interface Exercise {
  readonly id: string;
  readonly html: string;
  readonly solution: readonly string[];
}

const exercises = globSync('docs/learn/*.md', { cwd: root }).toSorted().flatMap(exercisesIn);

function exercisesIn(file: string): readonly Exercise[] {
  const text = withLiveClusters(readFileSync(path.join(root, file), 'utf8'));
  const found = text.matchAll(
    /^<coxswain-cluster(.* checks=.*)$[\s\S]*?^<details>[\s\S]*?^```sh\n([\s\S]*?)^```$/gm,
  );
  return Array.from(found, ([, rest, solution], index) => {
    const id = `${path.basename(file, '.md')}-${index + 1}`;
    return {
      id,
      // Its time passes in a moment.
      html: `<coxswain-cluster id="${id}" speed="60"${rest}`,
      solution: solution!.trim().split('\n'),
    };
  });
}

let open: OpenPage;

beforeAll(async () => {
  const apart = '<div style="block-size: 3000px"></div>';
  const body = exercises.map(({ html }) => html).join(apart);
  open = await openPage({
    body: `<script type="module" src="/element.js"></script>${apart}${body}`,
  });
  open.page.setDefaultTimeout(waitMsMax);
});
afterAll(() => open?.close());

test('there are exercises', () => expect(exercises.length).toBeGreaterThan(10));

test.each(exercises)('$id', { timeout: 4 * waitMsMax }, async ({ id, solution }) => {
  const { page } = open;
  const cluster = page.locator(`#${id}`);
  await cluster.scrollIntoViewIfNeeded();
  const steps = cluster.locator('.steps button');
  await cluster.locator('.checks').waitFor();
  for (const step of await steps.all()) await step.click();
  await cluster.locator('.steps button:enabled').first().waitFor();
  const timeOf = async () => Date.parse((await cluster.locator('time').first().getAttribute('datetime'))!);
  const beganMs = await timeOf();
  while ((await timeOf()) < beganMs + aMinuteMs) await cluster.locator('.bar').waitFor();
  expect(await cluster.locator('.checks.done').count(), 'done without the solution').toBe(0);
  await cluster.locator('.shell').click();
  for (const line of solution) {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
    await cluster.locator('.steps button:disabled').first().waitFor({ state: 'detached' });
  }
  await cluster.locator('.checks.done').waitFor();
  await page.evaluate(`document.querySelector('#${id}').remove()`);
});

test('the console stays empty', () => {
  expect(open.complaints).toEqual([]);
});
