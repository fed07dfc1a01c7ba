/** What is pictured of the page: each of its rooms full, and empty where it may be, and what opens above them. */

import type { Page } from 'playwright-core';

export interface View {
  readonly name: string;
  /** Whether it is pictured on a wide and a narrow screen, too: where columns of a page share its width. */
  readonly atEachWidth?: boolean;
  readonly path: string;
  /** What is there when all has come. */
  readonly ready: string;
  /** Requests that the server does not answer as usual: it denies them, or stays silent. */
  readonly unanswered?: { readonly path: RegExp; readonly how: 'denied' | 'silence' };
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
  { name: 'overview', atEachWidth: true, path: '/', ready: '.entries >> text=checkout', hidden: [traffic] },
  {
    name: 'explorer',
    atEachWidth: true,
    path: '/explore/-/v1/pods',
    ready: '.object-row >> text=storefront',
  },
  {
    name: 'explorer-selected',
    path: '/explore/apps/v1/deployments?namespace=shop',
    ready: '.object-row >> text=storefront',
    act: async ({ keyboard }) => {
      for (const key of ['j', 'x', 'j', 'x']) await keyboard.press(key);
    },
  },
  { name: 'summary', atEachWidth: true, path: deployment, ready: '.cause' },
  { name: 'summary-data', path: '/object/-/v1/configmaps/shop/storefront', ready: 'text=spring' },
  { name: 'related', path: `${deployment}/related`, ready: '.graph-node' },
  {
    name: 'yaml',
    path: `${deployment}/yaml`,
    ready: '.text-view >> text=progressDeadlineSeconds',
    act: (page) => page.getByText('Who wrote each line').click(),
  },
  { name: 'history', atEachWidth: true, path: `${deployment}/history`, ready: '.axis-lane >> text=Requests' },
  { name: 'logs', path: `${pod}/logs`, ready: 'text=/postgres of payments/' },
  { name: 'shell', path: `${pod}/shell`, ready: 'text=Open a shell' },
  {
    name: 'scheduler',
    path: '/scheduler/shop/recommender-trainer-5888588f9c-9s9l8',
    ready: 'text=fits 0 of 4',
  },
  {
    name: 'access',
    path: '/access?verb=get&resource=secrets&namespace=payments&as=grace',
    ready: 'text=ledger-operator',
  },
  { name: 'time', atEachWidth: true, path: '/time', ready: '.past-changes' },
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
    ready: '.cause',
    act: (page) => page.getByRole('button', { name: 'Delete', exact: true }).click(),
  },
  {
    name: 'roll-back',
    path: deployment,
    ready: '.cause',
    act: async (page) => {
      await page.getByRole('button', { name: 'Roll back' }).click();
      await page.locator('[role=region][aria-label="What changes"]').waitFor();
    },
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
  {
    name: 'denied',
    atEachWidth: true,
    path: deployment,
    ready: '.notice',
    unanswered: { path: /cluster\/apis\/apps\/v1\/namespaces/, how: 'denied' },
  },
  {
    name: 'loading',
    atEachWidth: true,
    path: '/explore/-/v1/pods',
    ready: '#main .skeleton',
    unanswered: { path: /cluster\/api\/v1\/pods/, how: 'silence' },
  },
];
