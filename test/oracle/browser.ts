/**
 * `npm run oracle:browser`: the recordings of requests, of kubectl and of whole control planes, as far as they need neither
 * sockets nor programs, played in Chromium. Prints every difference, what was left out and why, and the counts.
 * `npm run oracle:browser -- crud kubectl/get cluster`: these areas. Exit status 1 when anything differs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { openPage } from '../browser/chromium-page.ts';
import { buildForBrowser } from '../../scripts/packs/browser.ts';
import { areaNames, loadAreaFrom } from '../../packages/kube-apiserver/test/oracle/case.ts';
import { describeArea, tallyOf, type CaseResult } from '../../packages/kube-apiserver/test/oracle/replay.ts';

import type { PlayerName } from './players.ts';

declare const coxswain: typeof import('./players.ts');

/** Many times what the longest area takes. */
const areaMsMax = 300_000;

/** Where the areas of each player are. */
const directories: Readonly<Record<PlayerName, URL>> = {
  requests: new URL('../../packages/kube-apiserver/test/oracle/', import.meta.url),
  kubectl: new URL('kubectl/', import.meta.url),
  cluster: new URL('cluster/', import.meta.url),
};

const wanted = process.argv.slice(2);
const root = path.join(import.meta.dirname, '../..');
const directory = await mkdtemp(path.join(os.tmpdir(), 'coxswain-oracle-'));
try {
  await buildForBrowser({ root, directory, entries: { index: path.join(import.meta.dirname, 'players.ts') } });
  const players = Object.keys(directories) as PlayerName[];
  // Each has a page of its own: two of them wait more than they work.
  const results = (await Promise.all(players.map(play))).flat();
  const { passed, failed } = tallyOf(results);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function play(player: PlayerName): Promise<CaseResult[]> {
  const areas = areaNames(directories[player]).filter((area) => isWanted(player, area));
  if (areas.length === 0) return [];
  const { page, complaints, close } = await openPage({ directory });
  page.setDefaultTimeout(areaMsMax);
  try {
    const results: CaseResult[] = [];
    for (const area of areas) {
      const ofArea = await playArea(page, player, area);
      const shown = player === 'requests' ? area : `${player}/${area}`;
      console.log(describeArea(shown, ofArea));
      results.push(...ofArea);
    }
    for (const complaint of complaints) console.log(complaint);
    return results;
  } finally {
    await close();
  }
}

function isWanted(player: string, area: string): boolean {
  return wanted.length === 0 || wanted.some((word) => [player, area, `${player}/${area}`].includes(word));
}

/** As text: a key such as `__proto__` is lost otherwise. */
async function playArea(page: Page, player: PlayerName, area: string): Promise<CaseResult[]> {
  const answered = await page.evaluate(
    async ([name, text]) => JSON.stringify(await coxswain.playArea(name, JSON.parse(text))),
    [player, JSON.stringify(loadAreaFrom(directories[player], area))] as const,
  );
  return JSON.parse(answered) as CaseResult[];
}
