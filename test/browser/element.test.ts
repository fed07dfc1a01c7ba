/** `<coxswain-cluster>` as a reader of a page uses it. */

import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readState } from '../../packages/element/src/shared-state.ts';
import { accessibilityFaults } from './accessibility.ts';
import { openPage, type OpenPage } from './chromium-page.ts';

const body = `<script type="module" src="/element.js"></script>
<coxswain-cluster id="first" seed="3" checks="deployment/web has 3 available
service/web exists" steps="kubectl create deployment web --image=nginx --replicas=3
kubectl expose deployment web --port=80"></coxswain-cluster>
<div style="block-size: 3000px"></div>
<coxswain-cluster id="second"><script type="text/plain" slot="manifest">apiVersion: v1
kind: ConfigMap
metadata: { name: colours }
</script></coxswain-cluster>`;

/** A loaded machine is no failure. */
const waitMsMax = 30_000;

/** Its types are those of a page. */
const sessionFile = path.join(import.meta.dirname, '../../packages/element/src/session.ts');
interface SessionModule {
  readonly Session: {
    start(options: object): Promise<{
      replay(state: object, show: (text: string) => void): Promise<boolean>;
      stop(): Promise<void>;
    }>;
  };
}

let open: OpenPage;
let page: Page;

beforeAll(async () => {
  open = await openPage({ body });
  ({ page } = open);
  page.setDefaultTimeout(waitMsMax);
});
afterAll(() => open?.close());

test('an exercise is done with its steps, and the page hears of it', { timeout: 120_000 }, async () => {
  const first = page.locator('#first');
  await first.getByText('Done when').waitFor();
  await page.evaluate(() => {
    const scope = globalThis as unknown as {
      done: number;
      addEventListener: (name: string, listen: () => void) => void;
    };
    scope.done = 0;
    scope.addEventListener('coxswain-done', () => scope.done++);
  });
  await first.getByRole('button', { name: 'kubectl create deployment' }).click();
  await first.locator('.pod.running').nth(2).waitFor();
  await first.locator('.shell', { hasText: 'deployment.apps/web created' }).waitFor();
  await first.getByRole('button', { name: 'kubectl expose' }).click();
  await first.locator('.checks.done').waitFor();
  await page.waitForFunction('globalThis.done === 1');
});

test('the terminal completes, recalls and stops what goes on', { timeout: 120_000 }, async () => {
  const shell = page.locator('#first .shell');
  await shell.click();
  await page.keyboard.type('kubectl get deplo');
  await page.keyboard.press('Tab');
  await shell.filter({ hasText: 'kubectl get deployments' }).waitFor();
  await page.keyboard.press('Enter');
  await shell.filter({ hasText: /web +3\/3/ }).waitFor();
  await page.keyboard.type('kubectl get pods --watch');
  await page.keyboard.press('Enter');
  await shell.filter({ hasText: /web-\w+-\w+ +1\/1 +Running/ }).waitFor();
  await page.keyboard.press('Control+C');
  // Until the command has ended, it reads what is typed.
  await shell.filter({ hasText: /\^C\s*\$/ }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Control+C');
  await page.keyboard.type('help');
  await page.keyboard.press('Enter');
  await shell.filter({ hasText: 'kubectl works as it does elsewhere' }).waitFor();
});

test(
  'a second cluster starts when it is seen, with a manifest of its own',
  { timeout: 120_000 },
  async () => {
    const second = page.locator('#second');
    expect(await second.locator('.bar').count()).toBe(0);
    await second.scrollIntoViewIfNeeded();
    await second.getByRole('tab', { name: 'Files' }).click();
    await second.getByRole('button', { name: 'Apply' }).click();
    await second.locator('.shell', { hasText: 'configmap/colours created' }).waitFor();
    await second.getByRole('tab', { name: 'Objects' }).click();
    await second.getByRole('button', { name: 'colours' }).click();
    await second.locator('pre', { hasText: 'name: colours' }).waitFor();
  },
);

test('a keyboard reaches the terminal, and leaves it in both directions', { timeout: 120_000 }, async () => {
  const focused = () =>
    page.evaluate<string>(`(() => {
      const { activeElement } = document.querySelector('#first').shadowRoot;
      return activeElement?.closest('.shell') ? 'terminal' : (activeElement?.getAttribute('role') ?? activeElement?.tagName ?? '');
    })()`);
  const shell = page.locator('#first .shell');
  await shell.click();
  await page.keyboard.press('Control+C');
  await page.keyboard.press('Tab');
  expect(await focused()).not.toBe('terminal');
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).toBe('terminal');
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).not.toBe('terminal');
  await shell.click();
  await page.keyboard.type('kubectl get pods');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await focused()).not.toBe('terminal');
  await shell.click();
  await page.keyboard.press('Control+C');
});

test('keys that are typed in the terminal are no shortcuts of the page', async () => {
  await page.evaluate(() => {
    const scope = globalThis as unknown as {
      heard: string[];
      addEventListener: (name: string, listen: (event: { readonly key: string }) => void) => void;
    };
    scope.heard = [];
    scope.addEventListener('keydown', ({ key }) => scope.heard.push(key));
  });
  await page.locator('#first .shell').click();
  await page.keyboard.type('k get deploy/web');
  await page.keyboard.press('Control+C');
  expect(await page.evaluate('globalThis.heard')).toEqual([]);
});

test('a kept cluster is there again when its page is loaded again', { timeout: 180_000 }, async () => {
  const again = await openPage({
    body: `<script type="module" src="/element.js"></script>
<coxswain-cluster id="kept" kept autorun="kubectl create namespace first" steps="kubectl create deployment web --image=nginx"></coxswain-cluster>`,
  });
  try {
    const kept = again.page.locator('#kept');
    again.page.setDefaultTimeout(waitMsMax);
    await kept.locator('.shell', { hasText: 'namespace/first created' }).waitFor();
    await kept.getByRole('button', { name: 'create deployment' }).click();
    await kept.locator('.pod.running').waitFor();
    const name = await kept.locator('.pod-name').textContent();
    await kept.getByRole('tab', { name: 'Files' }).click();
    await kept.locator('textarea[aria-label="manifest.yaml"]').fill('kind: Pod');
    await again.reload();
    await kept.locator('.pod.running', { hasText: name! }).waitFor();
    expect(await kept.locator('.steps .used').count()).toBe(1);
    await kept.getByRole('tab', { name: 'Files' }).click();
    expect(await kept.locator('textarea[aria-label="manifest.yaml"]').inputValue()).toBe('kind: Pod');
    const reported = await kept.locator('.shell .xterm-rows').textContent();
    expect(reported?.match(/namespace\/first created/g)).toHaveLength(1);
    expect(again.complaints).toEqual([]);
  } finally {
    await again.close();
  }
});

test('nothing is found by a check of accessibility, light or dark', { timeout: 120_000 }, async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // What xterm draws is hidden from readers of the screen, who have its text beside it.
    const found = await accessibilityFaults(page, {
      include: [['#first'], ['#second']],
      exclude: [
        ['#first', '.xterm-screen'],
        ['#second', '.xterm-screen'],
      ],
    });
    expect(found).toEqual([]);
  }
});

test('a link replays a broken deployment with the same history', { timeout: 180_000 }, async () => {
  const shareable = `<script type="module" src="/element.js"></script>
<coxswain-cluster id="own" seed="5" nodes="3" speed="10" shareable steps="kubectl create deployment web --image=nginx --replicas=3
kubectl set image deployment/web nginx=nginx:nonexistent
kubectl rollout status deployment/web --timeout=20s"></coxswain-cluster>`;
  const sender = await openPage({ body: shareable });
  const receiver = await openPage({ body: shareable });
  try {
    const own = sender.page.locator('#own');
    const shell = own.locator('.shell');
    await own.getByRole('button', { name: 'create deployment' }).click();
    await own.locator('.pod.running').nth(2).waitFor({ timeout: waitMsMax });
    await own.getByRole('button', { name: 'set image' }).click();
    await shell.filter({ hasText: 'image updated' }).waitFor();
    await own.getByRole('button', { name: 'rollout status' }).click();
    await shell.filter({ hasText: 'timed out waiting' }).waitFor({ timeout: 60_000 });
    await own.getByRole('button', { name: 'Share' }).click();
    await own.getByText('link').first().waitFor();
    const hash = new URL(sender.page.url()).hash;
    expect(hash).toMatch(/^#coxswain-own=[\w-]{100,}$/);
    const state = await readState(hash.slice('#coxswain-own='.length));
    const { Session } = (await import(/* @vite-ignore */ sessionFile)) as SessionModule;
    const inNode = await Session.start({ ...state, speed: 0 });
    let printed = '';
    const isSame = await inNode.replay(state, (text) => (printed += text));
    await inNode.stop();
    expect(printed).toContain('deployment.apps/web image updated');
    expect(isSame, 'the history in Node is that of the page').toBe(true);
    await receiver.page.goto(`${new URL(receiver.page.url()).origin}/?again${hash}`);
    const again = receiver.page.locator('#own .shell');
    await again.filter({ hasText: 'Replayed' }).waitFor({ timeout: 90_000 });
    const reported = await again.locator('.xterm-rows').textContent();
    expect(reported).toContain('Replayed: the history is the one that was shared.');
    await again.filter({ hasText: 'kubectl set image' }).waitFor();
    if (process.env['SCREENSHOT']) await receiver.page.screenshot({ path: process.env['SCREENSHOT'] });
    expect([...sender.complaints, ...receiver.complaints]).toEqual([]);
  } finally {
    await Promise.all([sender.close(), receiver.close()]);
  }
});

test('who is removed stops, and the console stays empty', async () => {
  await page.evaluate(`document.querySelector('#second').remove()`);
  expect(open.complaints).toEqual([]);
});

test('a long word in a step makes nothing wider than the element', { timeout: 120_000 }, async () => {
  const step = `kubectl get events -o custom-columns=${'OBJECT:.involvedObject.name,'.repeat(3)}`;
  const narrow = await openPage({
    body: `<script type="module" src="/element.js"></script>
<div style="inline-size: 340px"><coxswain-cluster steps="${step}"></coxswain-cluster></div>`,
  });
  try {
    const parts = narrow.page.locator('.steps, .shell, .pane');
    await parts.nth(2).waitFor({ timeout: waitMsMax });
    const widths = await parts.evaluateAll((found) =>
      found.map((part) => (part as unknown as { readonly scrollWidth: number }).scrollWidth),
    );
    expect(widths.filter((width) => width > 340)).toEqual([]);
  } finally {
    await narrow.close();
  }
});
