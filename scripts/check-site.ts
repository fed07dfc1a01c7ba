/**
 * Opens each page of the built site (`npm run site`) in Chromium, as `coxswain docs` serves it: none may complain, ask for
 * what is not there, or have a link to a page or a heading that does not exist, and the search has to find something. One page of
 * each kind passes a check of accessibility, light and dark. Throws, or ends with a line that says that all is well.
 *
 *     npm run check-site
 */

import type { Page } from 'playwright-core';
import { documents } from '../packages/coxswain/src/docs/docs-archive.ts';
import { serveDocs } from '../packages/coxswain/src/docs/docs-server.ts';
import { accessibilityFaults } from '../test/browser/accessibility.ts';
import { launchChromium } from '../test/browser/chromium-page.ts';

const files = documents();
const pages = [...files.keys()]
  .filter((name) => name.endsWith('.html') && name !== '404.html')
  .map((name) => `/${name}`)
  .toSorted();
/** One page of each kind. */
const kinds = [
  '/index.html',
  '/zh/index.html',
  '/start/first-cluster.html',
  '/learn/exercises.html',
  '/tour/deployment.html',
  '/reference/commands/coxswain_up.html',
  '/reference/libraries/coxswain/testing.html',
  '/trust/compatibility.html',
  pages.find((page) => page.startsWith('/source/'))!,
];
const server = await serveDocs(files, 0);
const { origin } = new URL(server.link);

interface Visit {
  readonly complaints: readonly string[];
  /** Absolute URLs, as resolved by the browser. */
  readonly links: readonly string[];
  readonly headings: ReadonlySet<string>;
}

const browser = await launchChromium();
try {
  const visits = new Map<string, Visit>();
  const tab = await browser.newPage();
  for (const page of pages) visits.set(page, await visit(tab, page));
  await search(tab);
  const barriers = [];
  for (const page of kinds) barriers.push(...(await barriersOf(tab, page)));
  const wrong = [...visits].flatMap(([page, { complaints, links }]) => [
    ...complaints.map((complaint) => `${page}: ${complaint}`),
    ...links.flatMap((link) => (leadsSomewhere(link, visits) ? [] : `${page}: dead link ${link}`)),
  ]);
  wrong.push(...barriers);
  if (wrong.length > 0) throw new Error(`${wrong.length} faults:\n${wrong.join('\n')}`);
  const links = [...visits.values()].reduce((count, each) => count + each.links.length, 0);
  console.log(`${pages.length} pages open without a complaint, and their ${links} links lead somewhere`);
} finally {
  await browser.close();
  await server.close();
}

async function visit(tab: Page, page: string): Promise<Visit> {
  const complaints: string[] = [];
  const listeners = {
    pageerror: (error: Error) => complaints.push(error.message),
    console: (message: { type(): string; text(): string }) =>
      ['error', 'warning'].includes(message.type()) && complaints.push(message.text()),
    response: (response: { status(): number; url(): string }) =>
      response.status() >= 400 && complaints.push(`${response.status()} for ${response.url()}`),
  };
  tab.on('pageerror', listeners.pageerror);
  tab.on('console', listeners.console);
  tab.on('response', listeners.response);
  await tab.goto(origin + page, { waitUntil: 'load' });
  await tab.waitForFunction("document.querySelector('#app')?.__vue_app__ !== undefined");
  const read = `({
    links: [...document.querySelectorAll('a[href]')].map((link) => link.href),
    headings: [...document.querySelectorAll('[id]')].map((element) => element.id),
  })`;
  const { links, headings } = (await tab.evaluate(read)) as { links: string[]; headings: string[] };
  tab.off('pageerror', listeners.pageerror);
  tab.off('console', listeners.console);
  tab.off('response', listeners.response);
  return { complaints, links: [...new Set(links)], headings: new Set(headings) };
}

/** What its readers may stumble over. What xterm draws is hidden from readers of the screen, and the search's button is VitePress's. */
async function barriersOf(tab: Page, page: string): Promise<string[]> {
  await tab.goto(origin + page, { waitUntil: 'load' });
  const found = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme });
    const exclude = [['coxswain-cluster', '.xterm-screen'], ['.DocSearch-Button']];
    for (const fault of await accessibilityFaults(tab, { exclude }))
      found.push(`${page}, ${colorScheme}: ${fault}`);
  }
  return found;
}

/** @throws Error if nothing is found */
async function search(tab: Page): Promise<void> {
  await tab.goto(server.link, { waitUntil: 'load' });
  await tab.click('.DocSearch-Button');
  await tab.fill('.VPLocalSearchBox input', 'deployment');
  await tab.waitForSelector('.VPLocalSearchBox .result');
}

/** External pages are not checked. */
function leadsSomewhere(link: string, visits: ReadonlyMap<string, Visit>): boolean {
  const { origin: where, pathname, hash } = new URL(link);
  if (where !== origin) return true;
  const target = visits.get(fileOf(pathname));
  return target !== undefined && (hash === '' || target.headings.has(decodeURIComponent(hash.slice(1))));
}

function fileOf(pathname: string): string {
  const file = decodeURIComponent(pathname);
  return file.endsWith('/') ? `${file}index.html` : file;
}
