/** The tour in the page: its commands run in the cluster, are recorded, and leave nothing behind. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Live } from '@coxswain/apimachinery';
import type { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import { startCluster, type Cluster } from '../../packages/coxswain/src/cluster/cluster.ts';
import { nodeRecorder } from '../../packages/coxswain/src/trace/node-recorder.ts';
import { serveUi, type UiServer } from '../../packages/coxswain/src/ui/ui-server.ts';
import { RecordingSwitch } from '../../packages/trace/src/recording-switch.ts';
import { launchChromium } from './chromium-page.ts';

let cluster: Cluster;
let server: UiServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  const recordings = new RecordingSwitch(() => nodeRecorder());
  cluster = await startCluster({ recordings, nodes: 2, leaderElection: true });
  const facts = { cluster: 'test', namespace: 'default' };
  server = await serveUi({ transport: cluster.transport(), port: 0, facts });
  browser = await launchChromium();
  context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US' });
  page = await context.newPage();
  await page.goto(server.link());
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await cluster?.stop();
});

const timeout = 180_000;

test(
  'every command of every chapter does what it says, and what they made is removed',
  { timeout },
  async () => {
    await page.goto(`${server.address}/tour`);
    const chapters = page.getByRole('navigation', { name: 'Chapters' }).getByRole('link');
    await chapters.first().waitFor();
    for (let index = 0; index < (await chapters.count()); index++) {
      await chapters.nth(index).click();
      const title = (await chapters.nth(index).innerText()).replace(/^\d+\s*/, '');
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      const commands = page.locator('.tour-commands').last();
      await commands.getByRole('button', { name: 'Run all' }).click();
      const lines = await commands.locator('.tour-command').count();
      const states = (): Promise<readonly string[]> => commands.locator('.badge').allInnerTexts();
      // The first that fails is the last that is run.
      await expect
        .poll(async () => (await states()).filter((state) => state !== 'running'), { timeout: 60_000 })
        .toEqual(Array.from({ length: lines }, () => 'done'));
    }
    await page.getByRole('button', { name: 'Clean up' }).click();
    await page.getByText('Objects that they create can be removed here').waitFor();
    const { items } = await cluster.client().resource('apps/v1', 'deployments').namespace('default').list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual([]);
  },
);

test('the recording of a command has it, what it led to, and nothing of others', { timeout }, async () => {
  await page.goto(`${server.address}/tour/create`);
  await page.getByRole('button', { name: 'Run kubectl create deployment web --image=nginx' }).click();
  const deployments = cluster
    .client()
    .resource<Live<Deployment>>('apps/v1', 'deployments')
    .namespace('default');
  const ready = async () => (await deployments.get('web').catch(() => undefined))?.status?.readyReplicas;
  await expect.poll(ready, { timeout: 60_000 }).toBe(1);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open the recording' }).click();
  const recording = await opened;
  await recording.getByRole('heading', { level: 1, name: /POST .*\/deployments/ }).waitFor();
  await recording.getByText('deployment-controller').first().waitFor();
  expect(await recording.getByText('/leases/').count()).toBe(0);
  await recording.close();
  await page.getByRole('button', { name: 'Clean up' }).click();
  await page.getByText('Objects that they create can be removed here').waitFor();
});
