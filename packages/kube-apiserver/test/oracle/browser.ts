/**
 * `npm run oracle:browser`: the recorded cases that need no sockets, played in Chromium. Prints every difference, and the counts.
 * `npm run oracle:browser -- crud patch`: these areas. Exit status 1 when anything differs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openPage } from '../../../../test/browser/chromium-page.ts';
import { buildForBrowser } from '../../../../scripts/packs/browser.ts';
import { areaNames, loadArea } from './case.ts';
import { describeResult, hasPassed, type CaseResult } from './replay.ts';

declare const coxswain: typeof import('./replay.ts');

/** Many times what the longest area takes. */
const areaMsMax = 300_000;

const wanted = process.argv.slice(2);
const root = path.join(import.meta.dirname, '../../../..');
const folder = await mkdtemp(path.join(os.tmpdir(), 'coxswain-oracle-'));
const results: CaseResult[] = [];
try {
  await buildForBrowser({ root, folder, entries: { index: path.join(import.meta.dirname, 'replay.ts') } });
  const { page, complaints, close } = await openPage({ folder });
  page.setDefaultTimeout(areaMsMax);
  try {
    for (const name of areaNames().filter((area) => wanted.length === 0 || wanted.includes(area))) {
      // As text: a key such as `__proto__` is lost otherwise.
      const answered = await page.evaluate(
        async (area) => JSON.stringify(await coxswain.replayAreas([JSON.parse(area)])),
        JSON.stringify(loadArea(name)),
      );
      const ofArea = JSON.parse(answered) as CaseResult[];
      for (const result of ofArea) if (!hasPassed(result)) console.log(describeResult(result));
      console.log(`${name} ${ofArea.filter(hasPassed).length}/${ofArea.length}`);
      results.push(...ofArea);
    }
    for (const complaint of complaints) console.log(complaint);
  } finally {
    await close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const passed = results.filter(hasPassed).length;
console.log(`${passed} passed, ${results.length - passed} failed`);
process.exit(passed === results.length ? 0 : 1);
