/**
 * Opens the pages of the built site (`npm run site`) in Chromium, as `coxswain docs` serves them, on a wide and a narrow
 * screen: none may complain, ask for what is not there, be wider than the screen, have a link to a page or a heading that
 * does not exist, or fail a check of accessibility. Of pages made from one template, some are opened, and only the links of
 * the others are followed. The search has to find something. Throws, or ends with a line that says that all is well.
 *
 *     npm run check-site
 */

import type { Page } from 'playwright-core';
import { documents } from '../packages/coxswain/src/docs/docs-archive.ts';
import { serveDocs } from '../packages/coxswain/src/docs/docs-server.ts';
import { accessibilityFaults } from '../test/browser/accessibility.ts';
import { launchChromium } from '../test/browser/chromium-page.ts';

const tabsMax = 3;
/** Of a page, on a machine that is busy with other things. */
const timeoutMs = 120_000;
const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };

const files = documents();
const pages = [...files.keys()]
  .filter((name) => name.endsWith('.html') && name !== '404.html')
  .map((name) => `/${name}`)
  .toSorted();

/** Pages that are made from one template: the first of each is checked for accessibility, and every tenth is opened. */
const templates = [/^\/source\//, /^\/zh\/(?:source|reference|decisions)\//, /^\/reference\/commands\//];
const alike = new Set(templates.flatMap((template) => pages.filter((page) => template.test(page)).slice(1)));
const unalike = pages.filter((page) => !alike.has(page));
const opened = [...alike].filter((_, at) => at % 10 === 0);
/** One page of each kind, checked as a whole and in both colour schemes; of the others, the content in one. */
const kinds = new Set([
  '/index.html',
  '/zh/index.html',
  '/start/first-cluster.html',
  '/learn/exercises.html',
  '/tour/deployment.html',
  '/reference/commands/coxswain_up.html',
  '/reference/libraries/coxswain/testing.html',
  '/trust/compatibility.html',
  pages.find((page) => page.startsWith('/source/'))!,
]);

const server = await serveDocs(files, 0);
const { origin } = new URL(server.link);

interface Visit {
  /** What is wrong with the page by itself. */
  readonly faults: readonly string[];
  /** Absolute URLs, as resolved by the browser. */
  readonly links: readonly string[];
  readonly headings: ReadonlySet<string>;
}

const browser = await launchChromium();
try {
  const visits = new Map<string, Visit>([...alike].map((page) => [page, readUnopened(page)]));
  // Those that take longest come first, so that no tab is left with them at the end.
  const queue = [...kinds, ...unalike.filter((page) => !kinds.has(page)), ...opened];
  await Promise.all(
    Array.from({ length: tabsMax }, async () => {
      const tab = await openTab();
      for (let page = queue.shift(); page !== undefined; page = queue.shift())
        visits.set(page, await visit(tab, page));
      await tab.tab.close();
    }),
  );
  await search((await openTab()).tab);
  const wrong = [...visits].flatMap(([page, { faults, links }]) => [
    // The first column of a comparison has no title, which WCAG does not ask for.
    ...faults.filter((fault) => !fault.includes('empty-table-header')).map((fault) => `${page}: ${fault}`),
    ...links.flatMap((link) => (leadsSomewhere(link, visits) ? [] : `${page}: dead link ${link}`)),
  ]);
  if (wrong.length > 0) throw new Error(`${wrong.length} faults:\n${wrong.join('\n')}`);
  const links = [...visits.values()].reduce((count, each) => count + each.links.length, 0);
  console.log(
    `${unalike.length + opened.length} of ${pages.length} pages open without a complaint, ${unalike.length} are accessible, and all ${links} links lead somewhere`,
  );
} finally {
  await browser.close();
  await server.close();
}

interface Tab {
  readonly tab: Page;
  /** Of the page that is open in it. */
  readonly complaints: string[];
}

async function openTab(): Promise<Tab> {
  const tab = await browser.newPage({ viewport: wide, reducedMotion: 'reduce' });
  tab.setDefaultTimeout(timeoutMs);
  const complaints: string[] = [];
  tab.on('pageerror', (error) => complaints.push(error.message));
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  tab.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} for ${response.url()}`);
  });
  await tab.addInitScript(prefetchNothing);
  return { tab, complaints };
}

/** VitePress reads in advance what the links of a page lead to, unless the reader saves data. */
function prefetchNothing(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

async function visit({ tab, complaints }: Tab, page: string): Promise<Visit> {
  await tab.goto(origin + page, { waitUntil: 'load' });
  await tab.waitForFunction("document.querySelector('#app')?.__vue_app__ !== undefined");
  const read = `({
    links: [...document.querySelectorAll('a[href]')].map((link) => link.href),
    headings: [...document.querySelectorAll('[id]')].map((element) => element.id),
  })`;
  const { links, headings } = (await tab.evaluate(read)) as { links: string[]; headings: string[] };
  const faults = await overflow(tab, wide.width);
  if (!alike.has(page)) faults.push(...(await barriers(tab, page)));
  await tab.setViewportSize(narrow);
  faults.push(...(await overflow(tab, narrow.width)));
  await tab.setViewportSize(wide);
  return {
    faults: [...complaints.splice(0), ...faults],
    links: [...new Set(links)],
    headings: new Set(headings),
  };
}

/** Links and headings as they stand in the file. */
function readUnopened(page: string): Visit {
  const html = Buffer.from(files.get(page.slice(1))!).toString('utf8');
  const valuesOf = (attribute: RegExp): string[] =>
    Array.from(html.matchAll(attribute), ([, value]) => value!.replaceAll('&amp;', '&'));
  const links = valuesOf(/<a [^>]*href="([^"]*)"/g).map((target) => new URL(target, origin + page).href);
  return { faults: [], links: [...new Set(links)], headings: new Set(valuesOf(/ id="([^"]*)"/g)) };
}

async function overflow(tab: Page, widthPx: number): Promise<string[]> {
  const takenPx = (await tab.evaluate('document.documentElement.scrollWidth')) as number;
  return takenPx > widthPx ? [`takes ${takenPx} px of a width of ${widthPx}`] : [];
}

/** What its readers may stumble over. What xterm draws is hidden from readers of the screen, and the search's button is VitePress's. */
async function barriers(tab: Page, page: string): Promise<string[]> {
  const exclude = [['coxswain-cluster', '.xterm-screen'], ['.DocSearch-Button']];
  if (!kinds.has(page)) return [...(await accessibilityFaults(tab, { include: [['#VPContent']], exclude }))];
  const found = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const fault of await accessibilityFaults(tab, { exclude })) found.push(`${colorScheme}: ${fault}`);
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
