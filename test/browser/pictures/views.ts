/** What is pictured of the page: each of its rooms full, and empty where it may be, and what opens above them. */

import type { Page } from 'playwright-core';

export interface View {
  readonly name: string;
  /** Whether it is pictured on a wide screen, too: where columns of a page share its width. */
  readonly isWide?: boolean;
  readonly path: string;
  /** What is there when all has come. */
  readonly ready: string;
  /** What is done before it is pictured. */
  readonly act?: (page: Page) => Promise<void>;
  /** Selectors of parts that differ each time: what is measured. */
  readonly hidden?: readonly string[];
}

const traffic = '[aria-labelledby=traffic-title]';
const deployment = '/object/apps/v1/deployments/shop/checkout';
const pod = '/object/-/v1/pods/payments/ledger-0';

/** Of the shop. */
export const fullViews: readonly View[] = [
  { name: 'overview', isWide: true, path: '/', ready: '.entries >> text=checkout', hidden: [traffic] },
  { name: 'explorer', isWide: true, path: '/explore/-/v1/pods', ready: '.object-row >> text=storefront' },
  {
    name: 'explorer-selected',
    path: '/explore/apps/v1/deployments?namespace=shop',
    ready: '.object-row >> text=storefront',
    act: async ({ keyboard }) => {
      for (const key of ['j', 'x', 'j', 'x']) await keyboard.press(key);
    },
  },
  { name: 'summary', isWide: true, path: deployment, ready: 'text=ProgressDeadlineExceeded' },
  { name: 'related', path: `${deployment}/related`, ready: '.graph-node' },
  { name: 'yaml', path: `${deployment}/yaml`, ready: '.cm-content >> text=progressDeadlineSeconds' },
  { name: 'history', isWide: true, path: `${deployment}/history`, ready: '.axis-lane >> text=Requests' },
  { name: 'logs', path: `${pod}/logs`, ready: 'text=/postgres of payments/' },
  { name: 'shell', path: `${pod}/shell`, ready: 'text=Open a shell' },
  {
    name: 'scheduler',
    path: '/scheduler/shop/recommender-trainer-5888588f9c-7smgv',
    ready: 'text=fits 0 of 4',
  },
  {
    name: 'access',
    path: '/access?verb=get&resource=secrets&namespace=payments&as=grace',
    ready: 'text=ledger-operator',
  },
  { name: 'time', isWide: true, path: '/time', ready: '.past-changes' },
  {
    name: 'time-compared',
    path: '/time',
    ready: '.past-changes',
    act: async (page) => {
      await page.locator('.past-changes button').nth(12).click();
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.locator('.compared li').first().waitFor();
    },
  },
  { name: 'test-cluster', path: '/test-cluster', ready: 'text=douglas' },
  { name: 'tour', path: '/tour/create', ready: '.tour-commands' },
  { name: 'create', path: '/create', ready: '.cm-content >> text=replicas' },
  {
    name: 'palette',
    path: '/test-cluster',
    ready: 'text=douglas',
    act: async (page) => {
      await page.keyboard.press('/');
      await page.locator('[role=combobox]:focus').waitFor();
      await page.keyboard.type('ledger');
      await page
        .getByRole('option', { name: /ledger/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'help',
    path: '/explore/apps/v1/deployments',
    ready: '.object-row >> text=storefront',
    act: ({ keyboard }) => keyboard.press('?'),
  },
  {
    name: 'delete',
    path: deployment,
    ready: 'text=ProgressDeadlineExceeded',
    act: (page) => page.getByRole('button', { name: 'Delete', exact: true }).click(),
  },
];

/** Of a cluster in which there is nothing yet. */
export const emptyViews: readonly View[] = [
  { name: 'overview', path: '/', ready: '.summary', hidden: [traffic] },
  { name: 'explorer', path: '/explore/-/v1/pods', ready: '.notice' },
  { name: 'summary', path: deployment, ready: '.notice' },
  { name: 'scheduler', path: '/scheduler', ready: '.notice' },
  { name: 'access', path: '/access', ready: '.page' },
  { name: 'time', path: '/time', ready: '.time-bar' },
  { name: 'test-cluster', path: '/test-cluster', ready: '.test-components' },
  { name: 'nowhere', path: '/nowhere', ready: '.notice' },
];
