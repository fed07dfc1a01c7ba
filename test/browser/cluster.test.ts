/** `coxswain/browser` as a page uses it. */

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sizesOf } from '../../scripts/packs/browser.ts';
import { builtDirectory, openPage, type OpenPage } from './chromium-page.ts';

declare const coxswain: typeof import('../../packages/coxswain/src/browser/index.ts');

let open: OpenPage;

beforeAll(async () => {
  open = await openPage();
});
afterAll(() => open?.close());

/** Where a cluster can be: on the page's own thread, or in a worker. */
const places = ['createCluster', 'createClusterInWorker'] as const;
type Place = (typeof places)[number];

/** Runs kubectl commands on one cluster, and returns what each printed. */
const commands = (
  place: Place,
  lines: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<string[]> =>
  open.page.evaluate(
    async ([place, lines, files]) => {
      const cluster = await coxswain[place]({ nodes: 2, seed: 1, clock: 'system' });
      const own = await coxswain.filesOf(cluster);
      for (const [name, text] of Object.entries(files)) await own.write(name, text);
      const printed: string[] = [];
      for (const line of lines) {
        const { code, stdout, stderr } = await coxswain.kubectl(cluster, line);
        printed.push(`${stdout}${stderr}${code === 0 ? '' : `exit ${code}\n`}`);
      }
      await cluster.stop();
      return printed;
    },
    [place, lines, files] as const,
  );

test('what a page loads is small', { timeout: 300_000 }, async () => {
  const sizes = await sizesOf(builtDirectory, inject('modules'));
  expect(sizes.wholeBytes).toBeLessThan(1_500_000);
  expect(sizes.startBytes).toBeLessThan(900_000);
});

test.each(places)('%s: a deployment runs, and its history is that of its seed', async (place) => {
  const [phases, digest] = await open.page.evaluate(async (place) => {
    const cluster = await coxswain[place]({ nodes: 3, seed: 7 });
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    };
    await cluster.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template },
    });
    await cluster.idle();
    const { stdout } = await coxswain.kubectl(cluster, 'get pods -o jsonpath={.items[*].status.phase}');
    const digest = await cluster.history.digest();
    await cluster.stop();
    return [stdout, digest] as const;
  }, place);
  expect(phases).toBe('Running Running Running');
  const { createCluster } = await import('coxswain/testing');
  await using cluster = await createCluster({ nodes: 3, seed: 7 });
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx' }] },
  };
  await cluster.apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template },
  });
  await cluster.idle();
  expect(digest).toBe(await cluster.history.digest());
});

test.each(places)('%s: programs and webhooks are functions of the page', async (place) => {
  const found = await open.page.evaluate(async (place) => {
    const cluster = await coxswain[place]({ nodes: 1, seed: 1 });
    await cluster.images.define('web:1', {
      files: { '/etc/greeting': 'hello' },
      listen: {
        8080: async (request, { pod, state, files, clock }) => {
          state['orders'] = Number(state['orders'] ?? 0) + 1;
          await clock.sleep(60_000);
          const greeting = await files.read('/etc/greeting');
          return new Response(
            `${greeting}, ${pod.name} got ${await request.text()}, number ${String(state['orders'])}`,
          );
        },
      },
    });
    await cluster.webhooks.define('https://policy.example.com/', (review) => {
      const { request } = review as { request: { uid: string } };
      const response = { uid: request.uid, allowed: true, warnings: ['seen by a function'] };
      return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
    });
    await cluster.apply([
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'policy' },
        webhooks: [
          {
            name: 'policy.example.com',
            clientConfig: { url: 'https://policy.example.com/' },
            rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { selector: { run: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
      },
    ]);
    await cluster.idle();
    const { stderr } = await coxswain.kubectl(cluster, 'run web --image=web:1');
    await cluster.idle();
    const texts: string[] = [];
    for (const body of ['an order', 'another']) {
      const answer = await cluster.fetch('http://web.default', { method: 'POST', body });
      texts.push(await answer.text());
    }
    await cluster.stop();
    return [stderr, ...texts];
  }, place);
  expect(found).toEqual([
    'Warning: seen by a function\n',
    'hello, web got an order, number 1',
    'hello, web got another, number 2',
  ]);
});

test.each(places)('%s: kubectl works as elsewhere: files, streams into containers', async (place) => {
  const manifest = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: nginx }] }
`;
  const printed = await commands(
    place,
    [
      'apply -f web.yaml',
      'wait --for=condition=Ready pod/web',
      `get pods -o custom-columns=NAME:.metadata.name,PHASE:.status.phase`,
      'exec web -- sh -c "echo hello from $(hostname)"',
      'logs web',
      'cp web.yaml web:/tmp/copied.yaml',
      'exec web -- cat /tmp/copied.yaml',
      'diff -f web.yaml',
      'explain pod.spec.nodeName',
      'get nope',
    ],
    { 'web.yaml': manifest },
  );
  expect(printed).toEqual([
    'pod/web created\n',
    'pod/web condition met\n',
    'NAME   PHASE\nweb    Running\n',
    'hello from web\n',
    expect.stringMatching(/^web of default\/web started on node-\d \(simulated\)\n$/),
    '',
    manifest,
    '',
    expect.stringContaining('FIELD: nodeName <string>'),
    'error: the server doesn\'t have a resource type "nope"\nexit 1\n',
  ]);
});

test('of a cluster in a worker a page has time, faults, users, snapshots and watches', async () => {
  const found = await open.page.evaluate(async () => {
    const cluster = await coxswain.createClusterInWorker({ nodes: 1, seed: 1 });
    const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const maps = cluster.client.resource('v1', 'configmaps').namespace('default');
    const before = await cluster.clock.now();
    await cluster.clock.advance('2h');
    const passedMs = (await cluster.clock.now()) - before;

    const [clean, over] = [await cluster.snapshot(), new AbortController()];
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { type, object } of maps.watch({ signal: over.signal, resourceVersion: '0' })) {
        seen.push(`${type} ${object.metadata.name}`);
        if (object.metadata.name === 'last') over.abort();
      }
    })().catch(() => undefined);
    await cluster.apply([map('first'), map('last')]);
    await watching;

    const fault = await cluster.faults.add({
      action: 'error',
      code: 418,
      verb: 'get',
      resource: 'configmaps',
    });
    const failed: unknown = await maps.get('first').catch((error: unknown) => error);
    await fault.remove();
    const refused: unknown = await cluster
      .as('alice')
      .client.resource('v1', 'secrets')
      .list()
      .catch((error: unknown) => error);
    const asked = (await cluster.requests({ user: 'alice' })).map(({ verb, status }) => `${verb} ${status}`);
    const { stderr } = await coxswain.kubectl(
      { transport: cluster.as('alice').transport, clock: cluster.clock },
      'get secrets',
    );
    await cluster.reset(clean);
    const own = await cluster.fork();
    await own.apply(map('forked'));
    const { items } = await maps.list();
    const misspelt: unknown = await cluster.images
      .define('web:1', { listens: {} } as object)
      .catch((error: unknown) => error);
    await cluster.stop();
    const forked = await coxswain.kubectl(own, 'get configmap forked -o name');
    await own.stop();
    const afterwards: unknown = await own.apply(map('late')).catch((error: unknown) => error);
    return {
      passedMs,
      seen: seen.filter((line) => !line.includes('kube-root-ca')),
      failed: String(failed),
      refused: (refused as { code: number }).code,
      asked,
      stderr,
      names: items.map(({ metadata }) => metadata.name),
      misspelt: String(misspelt),
      forked: forked.stdout,
      afterwards: String(afterwards),
    };
  });
  expect(found).toEqual({
    passedMs: 7_200_000,
    seen: ['ADDED first', 'ADDED last'],
    failed: expect.stringContaining('StatusError'),
    refused: 403,
    asked: ['list 403'],
    stderr: expect.stringContaining('User "alice" cannot list resource "secrets"'),
    names: [],
    misspelt: expect.stringMatching(/^TypeError: .*listens/),
    forked: 'configmap/forked\n',
    afterwards: 'Error: the cluster has been stopped',
  });
});

test.each(places)('%s: a cluster is kept over a reload', async (place) => {
  const made = await open.page.evaluate(async (place) => {
    const cluster = await coxswain[place]({ nodes: 2, seed: 1 });
    await coxswain.kubectl(cluster, 'create deployment web --image=nginx --replicas=3');
    await cluster.idle();
    const file = await coxswain.storedFile('shop');
    const before = await file.read();
    await file.write(await cluster.export());
    const { stdout } = await coxswain.kubectl(cluster, 'get pods -o name');
    await cluster.stop();
    return { before, place: file.place, stdout };
  }, place);
  expect(made).toMatchObject({ before: undefined, place: 'opfs' });
  await open.reload();
  const kept = await open.page.evaluate(async (place) => {
    const file = await coxswain.storedFile('shop');
    const from = await file.read();
    await file.remove();
    const cluster = await coxswain[place]({ from: from! });
    const { stdout } = await coxswain.kubectl(cluster, 'get pods -o name');
    await cluster.stop();
    return { stdout, after: await file.read() };
  }, place);
  expect(kept).toEqual({ stdout: made.stdout, after: undefined });
});

test('where there is no OPFS, files are in IndexedDB', async () => {
  const found = await open.page.evaluate(async () => {
    const { storage } = navigator as { readonly storage?: unknown };
    Object.defineProperty(navigator, 'storage', { value: undefined, configurable: true });
    const file = await coxswain.storedFile('other');
    const before = await file.read();
    await file.write(Uint8Array.of(1, 2, 3));
    const read = await (await coxswain.storedFile('other')).read();
    await file.remove();
    const after = await file.read();
    Object.defineProperty(navigator, 'storage', { value: storage, configurable: true });
    return [file.place, before, read && [...read], after];
  });
  expect(found).toEqual(['indexeddb', undefined, [1, 2, 3], undefined]);
});

test('a page hears nothing from the console, and nothing goes over a network', () => {
  expect(open.complaints).toEqual([]);
});
