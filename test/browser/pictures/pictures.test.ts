/**
 * How each page looks, beside its stored picture. `npm run pictures` rewrites them; look at each that has changed.
 * Nothing in them is left to chance: the cluster has virtual time and a seed, and the page the same time and fonts of
 * its own.
 */

import { createCluster } from 'coxswain/testing';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCluster } from '../../../packages/coxswain/src/testing/test-cluster.ts';
import { launchChromium } from '../chromium-page.ts';
import { createShop } from '../shop.ts';
import { Pictures, type Width } from './stored-picture.ts';
import { emptyViews, fullViews } from './views.ts';

const timeout = 120_000;
const waitMs = 60_000;

const heights = { 390: 844, 1280: 800, 3840: 2160 } as const;

const looks = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'dark', width: 3840 },
  { scheme: 'light', width: 390 },
] as const satisfies readonly { readonly scheme: string; readonly width: Width }[];

/** Its letters are of a font that not every machine has; and a cursor blinks. */
const alwaysHidden = ['[aria-label=切换到中文]', '.cm-cursorLayer'];

const deny = (route: Route): Promise<void> =>
  route.fulfill({
    status: 403,
    json: {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code: 403,
      reason: 'Forbidden',
      message:
        'deployments.apps is forbidden: User "grace" cannot list resource "deployments" in API group "apps" in the namespace "shop"',
    },
  });

const ignore = (): void => {};

describe.each([
  { what: 'full', create: createShop, views: fullViews },
  { what: 'empty', create: () => createCluster({ nodes: 0, seed: 21 }), views: emptyViews },
])('of a cluster that is $what', ({ what, create, views }) => {
  let cluster: TestCluster;
  let browser: Browser;
  let page: Page;
  let pictures: Pictures;
  let origin: string;

  beforeAll(async () => {
    cluster = await create();
    browser = await launchChromium();
    const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' });
    page = await context.newPage();
    page.setDefaultTimeout(waitMs);
    await page.clock.setFixedTime(cluster.clock.now());
    pictures = new Pictures(page, await context.newCDPSession(page), await context.newPage());
    const link = new URL(await cluster.ui());
    origin = link.origin;
    await page.goto(link.href);
  }, timeout);
  afterAll(async () => {
    await browser?.close();
    await cluster?.stop();
  });

  test.each(views)('$name', { timeout }, async (view) => {
    const { name, path, ready, act, atEachWidth, unanswered, hidden = [] } = view;
    await look(looks[0]);
    if (unanswered !== undefined)
      await page.route(unanswered.path, unanswered.how === 'denied' ? deny : ignore);
    await page.goto(origin + path);
    await page.locator(ready).first().waitFor();
    await act?.(page);
    await page.evaluate(
      `document.querySelectorAll('${[...hidden, ...alwaysHidden].join()}').forEach(({ style }) => (style.visibility = 'hidden'))`,
    );
    if (unanswered?.how !== 'silence')
      await expect.poll(() => page.locator('.skeleton:visible').count(), { timeout: waitMs }).toBe(0);
    const differences: (string | undefined)[] = [];
    for (const each of looks) {
      if (each.width !== 1280 && atEachWidth !== true) continue;
      await look(each);
      differences.push(await pictures.differs(`${what}-${name}-${each.scheme}-${each.width}`, each.width));
    }
    await page.unrouteAll();
    expect(differences.filter((difference) => difference !== undefined)).toEqual([]);
  });

  async function look({ scheme, width }: (typeof looks)[number]): Promise<void> {
    await page.setViewportSize({ width, height: heights[width] });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  }
});
