/** The page of `coxswain ui` in Chromium, signed in, for a cluster with simulated nodes in this process. */

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createCluster } from 'coxswain/testing';
import type { TestCluster } from '../../packages/coxswain/src/testing/test-cluster.ts';
import { launchChromium } from './chromium-page.ts';

export interface UiPage {
  readonly cluster: TestCluster;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** `http://127.0.0.1:40123` */
  readonly origin: string;
  /** What the page complained of, and what it asked of other servers. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export async function openUi(): Promise<UiPage> {
  const cluster = await createCluster({ clock: 'system', nodes: 3 });
  const browser = await launchChromium();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const link = new URL(await cluster.ui());
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.stack ?? String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(link.origin) && !request.url().startsWith('data:'))
      complaints.push(`asked for ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    complaints.push(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(link.href);
  await page.getByRole('heading', { name: 'Nodes and pods' }).waitFor();
  return {
    cluster,
    browser,
    context,
    page,
    origin: link.origin,
    complaints,
    async close() {
      await browser.close();
      await cluster.stop();
    },
  };
}
