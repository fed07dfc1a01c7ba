/**
 * What a cluster costs a page of Chromium: `node bench/browser.ts [resets, 1000] [pods, 2000]`. Builds `dist/browser`. The
 * processor time is that of the whole page, milliseconds of the clock are those that its reader waits.
 */
import path from 'node:path';
import type { CDPSession } from 'playwright-core';
import { buildBrowser, sizesOf } from '../scripts/packs/browser.ts';
import { builtDirectory, openPage } from '../test/browser/chromium-page.ts';

declare const coxswain: typeof import('../packages/coxswain/src/browser/index.ts');

const [resets = 1000, pods = 2000] = process.argv.slice(2).map(Number);
const nodes = 50;
const resetsAtOnce = 100;

const sizes = await sizesOf(
  builtDirectory,
  await buildBrowser({ root: path.join(import.meta.dirname, '..'), directory: builtDirectory }),
);
report('all modules, in brotli', `${kilobytes(sizes.wholeBytes)} kB`);
report('what a cluster without kubectl loads', `${kilobytes(sizes.startBytes)} kB`);
const { page, complaints, close } = await openPage();
page.setDefaultTimeout(0);
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable');

await timed('the first cluster of two nodes', () =>
  page.evaluate(async () => (await coxswain.createCluster({ nodes: 2 })).stop()),
);
await timed('the second', () =>
  page.evaluate(async () => {
    Object.assign(globalThis, { cluster: await coxswain.createCluster({ nodes: 2 }) });
  }),
);
await timed('a Deployment with three replicas, until they run', () =>
  page.evaluate(async () => {
    const { cluster } = globalThis as unknown as BenchPage;
    await cluster.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'web', image: 'web:1' }] },
        },
      },
    });
    await cluster.idle();
    const { items } = await cluster.client.resource('v1', 'pods').namespace('default').list();
    const running = items.filter(
      (pod) => (pod as { status?: { phase?: string } }).status?.phase === 'Running',
    );
    if (running.length !== 3) throw new Error(`${running.length} of 3 pods run`);
  }),
);
report('heap', `${await heapMegabytes(session)} MB`);
for (let done = 0; done < resets; done += resetsAtOnce) {
  const count = Math.min(resetsAtOnce, resets - done);
  await timed(`${count} resets after a change`, () =>
    page.evaluate(async (count) => {
      const { cluster } = globalThis as unknown as BenchPage;
      for (let reset = 0; reset < count; reset++) {
        await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'changed' } });
        await cluster.reset();
      }
    }, count),
  );
  report(`heap after ${done + count} resets`, `${await heapMegabytes(session)} MB`);
}
await timed(`${pods} pods on ${nodes} nodes`, () =>
  page.evaluate(
    async ([pods, nodes]) => {
      const { cluster } = globalThis as unknown as BenchPage;
      await cluster.stop();
      const large = await coxswain.createCluster({ nodes });
      Object.assign(globalThis, { cluster: large });
      await large.apply({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'many' },
        spec: {
          replicas: pods,
          selector: { matchLabels: { app: 'many' } },
          template: {
            metadata: { labels: { app: 'many' } },
            spec: { containers: [{ name: 'one', image: 'one:1' }] },
          },
        },
      });
      await large.idle({ timeoutMs: 600_000 });
    },
    [pods, nodes] as const,
  ),
);
const frames = await page.evaluate(
  async ([pods, nodes]) => {
    await (globalThis as unknown as BenchPage).cluster.stop();
    const { requestAnimationFrame } = globalThis as unknown as FramePage;
    const intervals: number[] = [];
    let [lastMs, isOver] = [performance.now(), false];
    const frame = () => {
      const nowMs = performance.now();
      intervals.push(nowMs - lastMs);
      lastMs = nowMs;
      if (!isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const cluster = await coxswain.createClusterInWorker({ nodes });
    await coxswain.kubectl(cluster, `create deployment many --image=one:1 --replicas=${pods}`);
    await cluster.idle({ timeoutMs: 600_000 });
    isOver = true;
    const { stdout } = await coxswain.kubectl(
      cluster,
      'get deployment many -o jsonpath={.status.readyReplicas}',
    );
    if (stdout !== String(pods)) throw new Error(`${stdout} of ${pods} pods run`);
    await cluster.stop();
    const ascending = intervals.toSorted((a, b) => a - b);
    const at = (share: number) => ascending[Math.floor(share * (ascending.length - 1))] ?? Number.NaN;
    return { count: intervals.length, medianMs: at(0.5), most: at(0.99), longestMs: at(1) };
  },
  [pods, nodes] as const,
);
report(
  `frames of the page meanwhile, the cluster in a worker`,
  `${frames.count}; every ${frames.medianMs.toFixed(1)} ms, 99 % within ${frames.most.toFixed(1)} ms, the longest ${frames.longestMs.toFixed(1)} ms`,
);
for (const complaint of complaints) console.log(complaint);
await close();

interface FramePage {
  requestAnimationFrame(draw: () => void): void;
}

interface BenchPage {
  readonly cluster: Awaited<ReturnType<typeof coxswain.createCluster>>;
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const [began, beganMs] = [await processorMs(session), performance.now()];
  await work();
  const tookMs = performance.now() - beganMs;
  const processor = (await processorMs(session)) - began;
  report(what, `${tookMs.toFixed(0)} ms, of which the processor ${processor.toFixed(0)} ms`);
}

function report(what: string, figure: string): void {
  console.log(`${what.padEnd(52)} ${figure}`);
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(0);
}

async function metric(of: CDPSession, name: string): Promise<number> {
  const { metrics } = await of.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)?.value ?? Number.NaN;
}

/** The processor time of the page's main thread. */
async function processorMs(of: CDPSession): Promise<number> {
  return (await metric(of, 'ThreadTime')) * 1000;
}

async function heapMegabytes(of: CDPSession): Promise<string> {
  await of.send('HeapProfiler.collectGarbage');
  return ((await metric(of, 'JSHeapUsedSize')) / 1e6).toFixed(0);
}
