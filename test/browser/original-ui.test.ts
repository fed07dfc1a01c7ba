/**
 * The page of `coxswain ui` for a cluster of the original (API server, etcd, controllers and scheduler):
 * `PEERS_BIN=DIR npm run test:slow -- test/browser/original-ui`. What needs our own endpoints is hidden, and nothing complains.
 */

import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { start, startRealServer, stopped, until, type RealServer } from '../../bench/real-server.ts';
import { uiOfKubeconfig } from '../../packages/coxswain/src/ui/ui-of-kubeconfig.ts';
import type { UiServer } from '../../packages/coxswain/src/ui/ui-server.ts';
import { launchChromium } from './chromium-page.ts';

const timeout = 180_000;

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'one' },
  status: {
    allocatable: { cpu: '4', memory: '8Gi', pods: '40' },
    capacity: { cpu: '4', memory: '8Gi', pods: '40' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
};

const deployment = (name: string, cpu: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name, image: `${name}:1`, resources: { requests: { cpu } } }],
      },
    },
  },
});

describe('a cluster of the original', () => {
  let server: RealServer;
  let ui: UiServer;
  let browser: Browser;
  let page: Page;
  const programs: ChildProcess[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await startRealServer();
    programs.push(...controlPlane(server));
    await server.call('POST', '/api/v1/nodes', node);
    for (const each of [deployment('web', '100m'), deployment('trainer', '64')])
      await server.call('POST', '/apis/apps/v1/namespaces/default/deployments', each);
    await until(async () => (await podsOf(server, 'web')).filter(({ spec }) => spec.nodeName).length === 2);
    for (const { metadata } of await podsOf(server, 'web')) await run(server, metadata.name);
    ui = await uiOfKubeconfig({ env: {}, file: server.kubeconfig, context: '' }, { port: 0 });
    browser = await launchChromium();
    page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    page.on('pageerror', (error) => complaints.push(error.stack ?? String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(`${message.text()} ${message.location().url}`);
    });
    await page.goto(ui.link());
    await page.getByRole('heading', { name: 'Nodes and pods' }).waitFor();
  }, timeout);
  afterAll(async () => {
    await browser?.close();
    await ui?.close();
    for (const program of programs) await stopped(program);
    await server?.stop();
  }, timeout);
  beforeEach(() => {
    complaints.length = 0;
  });

  async function open(where: string, ready: string): Promise<void> {
    await page.goto(ui.address + where);
    await page.locator(`#main >> text=${ready} >> visible=true`).first().waitFor();
    await expect.poll(() => page.locator('.skeleton:visible').count(), { timeout: 30_000 }).toBe(0);
  }

  test('each page is shown, and none complains', { timeout }, async () => {
    const nameOf = async (app: string) => (await podsOf(server, app))[0]!.metadata.name;
    const [webPod, trainer] = [await nameOf('web'), await nameOf('trainer')];
    const web = '/object/apps/v1/deployments/default/web';
    const pages: readonly (readonly [path: string, ready: string])[] = [
      ['/', 'Insufficient cpu'],
      ['/explore/-/v1/pods', webPod],
      ['/explore/apps/v1/deployments', 'trainer'],
      [web, 'MinimumReplicasAvailable'],
      [`${web}/related`, webPod],
      [`${web}/yaml`, 'progressDeadlineSeconds'],
      [`${web}/history`, 'created'],
      [`/object/-/v1/pods/default/${webPod}/history`, 'Running'],
      [`/object/-/v1/pods/default/${webPod}/shell`, 'Open a shell'],
      [`/object/-/v1/pods/default/${trainer}`, 'Insufficient cpu'],
      [`/scheduler/default/${trainer}`, 'fits 0 of 1'],
      ['/access?verb=get&resource=secrets&namespace=default&as=bob', 'denied'],
      ['/time', 'Changes up to then'],
      ['/time?kind=deployments.apps', 'web'],
      ['/tour/create', 'kubectl'],
      ['/create', 'replicas'],
    ];
    const complained: string[] = [];
    for (const [where, ready] of pages) {
      await open(where, ready);
      complained.push(...complaints.splice(0).map((complaint) => `${where}: ${complaint}`));
    }
    expect(complained).toEqual([]);
  });

  test('what needs our own endpoints is hidden', { timeout }, async () => {
    await open('/', 'Nodes and pods');
    const links = await page.locator('.sidebar a').allTextContents();
    expect(links).toContain('Scheduler');
    expect(links).not.toContain('Test cluster');
    await open('/test-cluster', 'Not available in this cluster');
    expect(complaints).toEqual([]);
  });

  test('what changed between two moments is told here, too', { timeout }, async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments/web';
    await server.call('PATCH', path, { spec: { replicas: 3 } }, 'application/merge-patch+json');
    await until(async () => (await podsOf(server, 'web')).length === 3);
    await open('/time', 'Changes up to then');
    await page.getByRole('button', { name: 'Compare' }).click();
    const created = page.getByRole('listitem').filter({ hasText: /^created.*web.*Deployment/ });
    await created.first().waitFor();
    expect(complaints).toEqual([]);
  });
});

function controlPlane({ kubeconfig, directory }: RealServer): readonly ChildProcess[] {
  const common = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'];
  return [
    start('kube-controller-manager', [
      ...common,
      `--service-account-private-key-file=${path.join(directory, 'sa.key')}`,
      '--use-service-account-credentials=false',
    ]),
    start('kube-scheduler', common),
  ];
}

interface SeenPod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName?: string };
}

async function podsOf(server: RealServer, app: string): Promise<readonly SeenPod[]> {
  const path = `/api/v1/namespaces/default/pods?labelSelector=app%3D${app}`;
  return (await server.call<{ readonly items: readonly SeenPod[] }>('GET', path)).items;
}

/** As a kubelet would report it. */
async function run(server: RealServer, name: string): Promise<void> {
  const status = {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [
      { name: 'web', image: 'web:1', imageID: '', ready: true, restartCount: 0, state: { running: {} } },
    ],
  };
  const path = `/api/v1/namespaces/default/pods/${name}/status`;
  await server.call('PATCH', path, { status }, 'application/merge-patch+json');
}
