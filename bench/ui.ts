/**
 * The page of `coxswain ui` with many pods, in Chromium: `node bench/ui.ts [--pods 150000] [--seconds 20]`. Tells what is
 * loaded, when it can be used, how large its heap is, what tasks cost while it is scrolled, and what it costs when
 * nobody touches it. The page must be built (`npm run build`); the API server is another process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import { transportOf } from '@coxswain/client/node.ts';
import type { CDPSession, Page } from 'playwright-core';
import { serveUi } from '../packages/coxswain/src/ui/ui-server.ts';
import { launchChromium } from '../test/browser/chromium-page.ts';
import { dataDirectoryOf, startApiServer, token, writePods } from './stored-pods.ts';

const { values } = parseArgs({
  options: { pods: { type: 'string', default: '150000' }, seconds: { type: 'string', default: '20' } },
});
const pods = Number(values.pods);
const idleS = Number(values.seconds);
const wheelTurns = 300;
const jumps = 100;
const settleS = 10;
const timeout = 120_000;

/** Runs in the page: jumps to a different part of the table in each frame. */
const jumping = `new Promise((resolve) => {
  const table = document.querySelector('.object-table');
  let left = ${jumps};
  const jump = () => {
    table.scrollTop = ((left * 7919) % ${pods}) * 32;
    if (left-- > 0) requestAnimationFrame(jump);
    else resolve();
  };
  requestAnimationFrame(jump);
})`;

const directory = mkdtempSync(join(tmpdir(), 'coxswain-ui-'));
await writePods(dataDirectoryOf(directory), pods, 1_500);
const { child, port } = await startApiServer(directory);
const kubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'bench',
  clusters: [
    { name: 'bench', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
  ],
  users: [{ name: 'bench', user: { token } }],
  contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
};
const ui = await serveUi({
  transport: transportOf(resolveKubeconfig(kubeconfig)),
  port: 0,
  facts: { cluster: 'bench', namespace: 'default' },
});
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await firstLoad(page, session);
  await explorer(page, session);
} finally {
  await browser.close();
  await ui.close();
  child.kill('SIGTERM');
  await new Promise<void>((resolve) => void child.once('close', () => resolve()));
  rmSync(directory, { recursive: true });
}

async function firstLoad(page: Page, session: CDPSession): Promise<void> {
  let bytes = 0;
  await session.send('Network.enable');
  const names = new Map<string, string>();
  session.on('Network.responseReceived', ({ requestId, response }) => names.set(requestId, response.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!names.get(requestId)?.includes('/cluster/')) bytes += encodedDataLength;
  });
  const startMs = performance.now();
  await page.goto(ui.link());
  await page.getByRole('heading', { name: 'Nodes and pods' }).waitFor({ timeout });
  report('overview usable', `${seconds(startMs)} s, ${(bytes / 1000).toFixed(0)} kB loaded`);
  await session.send('Network.disable');
  await page.getByRole('link', { name: /Pods running/ }).waitFor({ timeout });
  report('overview: heap', await heap(session));
}

async function explorer(page: Page, session: CDPSession): Promise<void> {
  const startMs = performance.now();
  await page.goto(`${ui.address}/explore/-/v1/pods`);
  await page.locator('.object-row').first().waitFor({ timeout });
  report('explorer: first rows', `${seconds(startMs)} s`);
  await page
    .locator('.explorer-head')
    .getByText(pods.toLocaleString('en-US'), { exact: false })
    .waitFor({ timeout });
  await page.locator('.explorer-head').getByText('reading').waitFor({ state: 'detached', timeout });
  report(`explorer: ${pods} rows`, `${seconds(startMs)} s`);
  report('explorer: heap', await heap(session));
  const box = (await page.locator('.object-table').boundingBox())!;
  await page.mouse.move(box.x + 300, box.y + 300);
  await frames(page, session, 'wheel', async () => {
    for (let turn = 0; turn < wheelTurns; turn++) await page.mouse.wheel(0, 200 + (turn % 7) * 150);
  });
  await frames(page, session, 'jumps', () => page.evaluate(jumping));
  await page.mouse.move(5, 5);
  // Meanwhile, the garbage that scrolling left is collected.
  await pause(settleS);
  const before = await taskS(session);
  await pause(idleS);
  report('explorer: idle', `${((((await taskS(session)) - before) / idleS) * 100).toFixed(2)} % of a core`);
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time in µs. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The tasks of the page's main thread, by processor time, which other work on the machine does not affect. */
async function frames(
  page: Page,
  session: CDPSession,
  name: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const events: TraceEvent[] = [];
  const onData = ({ value }: { readonly value: object[] }): void =>
    void events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', onData);
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', { categories: 'toplevel,devtools.timeline,__metadata' });
  const before = await taskS(session);
  await act();
  const busyS = (await taskS(session)) - before;
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', onData);
  const painted = events.filter((event) => event.name === 'Paint');
  const { pid, tid } = mostFrequent(painted);
  const tasks = events
    .filter((event) => event.name.endsWith('RunTask') && event.pid === pid && event.tid === tid)
    .map(({ tdur = 0 }) => tdur / 1000)
    .toSorted((one, other) => one - other);
  const at = (share: number): string => tasks[Math.floor((tasks.length - 1) * share)]!.toFixed(1);
  report(
    `explorer: ${name}`,
    `${(busyS * 1000).toFixed(0)} ms of CPU in ${tasks.length} tasks, ${painted.length} paints; of a task 99 % ${at(0.99)} ms, most ${at(1)} ms`,
  );
}

/** The thread with the most events, which is that of the page. */
function mostFrequent(events: readonly TraceEvent[]): TraceEvent {
  const byThread = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`);
  return [...byThread.values()].toSorted((one, other) => other.length - one.length)[0]![0]!;
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)!.value;
}

/** The processor time of the page's main thread. */
function taskS(session: CDPSession): Promise<number> {
  return metric(session, 'TaskDuration');
}

async function heap(session: CDPSession): Promise<string> {
  await session.send('HeapProfiler.collectGarbage');
  return `${((await metric(session, 'JSHeapUsedSize')) / 1e6).toFixed(0)} MB`;
}

function seconds(startMs: number): string {
  return ((performance.now() - startMs) / 1000).toFixed(2);
}

function pause(durationS: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, durationS * 1000));
}

function report(name: string, figure: string): void {
  console.log(`${name.padEnd(28)} ${figure}`);
}
