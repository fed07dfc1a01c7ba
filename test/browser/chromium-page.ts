/** A page of Chromium that has `dist/browser` and nothing else: no network, and a strict content security policy. */

import { createServer, type Server } from 'node:http';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

const root = path.join(import.meta.dirname, '../..');
export const builtDirectory = path.join(root, 'dist/browser');

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium is; `CHROMIUM` says another place. */
export const chromiumPath = process.env['CHROMIUM'] ?? places.find((place) => existsSync(place));

const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'none'; require-trusted-types-for 'script'";

const moduleLookEveryMs = 20;

export interface OpenPage {
  readonly page: Page;
  /** What the page complained of: errors, and whatever it asked of a network. */
  readonly complaints: readonly string[];
  /** The same page anew, with what it has stored. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly directory?: string;
  /** What the page shows. */
  readonly body?: string;
}

/** @param options `directory` is served, and what its `index.js` exports is `coxswain` in the page */
export async function openPage({
  directory = builtDirectory,
  body = '',
}: PageOptions = {}): Promise<OpenPage> {
  const server = await serve(directory, body);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const browser = await launchChromium();
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.stack ?? String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`asked for ${request.url()}`);
  });
  const reload = async () => {
    await page.goto(`${origin}/`);
    // Playwright's own way to wait is `eval`, which the policy forbids.
    while (!(await page.evaluate(() => 'coxswain' in globalThis))) {
      if (complaints.length > 0) throw new Error(`the modules did not load: ${complaints.join('\n')}`);
      await page.waitForTimeout(moduleLookEveryMs);
    }
  };
  await reload();
  return {
    page,
    complaints,
    reload,
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Chromium as every test starts it. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    // Root has no sandbox, and machines of CI have a small /dev/shm.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });

const pageText = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Coxswain</title>
<link rel="icon" href="data:,"><script type="module" src="/page.js"></script>`;

/** Modules are named by those who import them; a test's code runs in none. */
const pageScript = `import * as coxswain from '/index.js'; Object.assign(globalThis, { coxswain });`;

async function serve(directory: string, body: string): Promise<Server> {
  const own: Readonly<Record<string, string>> = { '/': pageText + body, '/page.js': pageScript };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const text = own[pathname];
    const body = text === undefined ? readFile(path.join(directory, pathname)) : Promise.resolve(text);
    body.then(
      (found) => {
        response.setHeader('content-security-policy', policy);
        response.setHeader('content-type', typeOf(pathname));
        response.end(found);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const typeOf = (name: string): string =>
  name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'text/html';
