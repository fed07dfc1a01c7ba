/**
 * Opens each page of the built site (`npm run site`) in Chromium: none may complain, ask for what is not there, or have a link
 * to a page or a heading that does not exist. Throws, or ends with a line that says that all is well.
 *
 *     npm run check-site
 */

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../test/browser/chromium-page.ts';

const folder = path.join(import.meta.dirname, '../dist/site/html');
const pages = globSync('**/*.html', { cwd: folder })
  .filter((page) => page !== '404.html')
  .map((page) => `/${page}`)
  .toSorted();
if (pages.length === 0) throw new Error('there is no site: npm run site builds it');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

const server = createServer((request, response) => {
  const file = fileOf(new URL(request.url ?? '/', 'http://site').pathname);
  readFile(path.join(folder, file)).then(
    (bytes) => {
      response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream');
      response.end(bytes);
    },
    () => response.writeHead(404).end(),
  );
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

interface Visit {
  readonly complaints: readonly string[];
  /** Absolute, as the browser reads them. */
  readonly links: readonly string[];
  readonly headings: ReadonlySet<string>;
}

const browser = await launchChromium();
try {
  const visits = new Map<string, Visit>();
  const tab = await browser.newPage();
  for (const page of pages) visits.set(page, await visit(tab, page));
  const wrong = [...visits].flatMap(([page, { complaints, links }]) => [
    ...complaints.map((complaint) => `${page}: ${complaint}`),
    ...links.flatMap((link) => (leadsSomewhere(link, visits) ? [] : `${page}: dead link ${link}`)),
  ]);
  if (wrong.length > 0) throw new Error(`${wrong.length} faults:\n${wrong.join('\n')}`);
  const links = [...visits.values()].reduce((count, each) => count + each.links.length, 0);
  console.log(`${pages.length} pages open without a complaint, and their ${links} links lead somewhere`);
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
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

/** Other people's pages are theirs. */
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
