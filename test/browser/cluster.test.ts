/** `coxswain/browser` as a page uses it. */

import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildBrowser, type BrowserSizes } from '../../scripts/packs/browser.ts';
import { builtFolder, openPage, type OpenPage } from './chromium-page.ts';

declare const coxswain: typeof import('../../packages/coxswain/src/browser/index.ts');

let sizes: BrowserSizes;
let open: OpenPage;

beforeAll(async () => {
  sizes = await buildBrowser({ root: path.join(import.meta.dirname, '../..'), folder: builtFolder });
  open = await openPage();
}, 120_000);
afterAll(() => open?.close());

/** Runs kubectl commands on one cluster, and returns what each printed. */
const commands = (
  lines: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<string[]> =>
  open.page.evaluate(
    async ([lines, files]) => {
      const cluster = await coxswain.createCluster({ nodes: 2, seed: 1, clock: 'system' });
      const own = await coxswain.filesOf(cluster);
      for (const [name, text] of Object.entries(files)) own.write(name, text);
      const printed: string[] = [];
      for (const line of lines) {
        const { code, stdout, stderr } = await coxswain.kubectl(cluster, line);
        printed.push(`${stdout}${stderr}${code === 0 ? '' : `exit ${code}\n`}`);
      }
      await cluster.stop();
      return printed;
    },
    [lines, files] as const,
  );

test('what a page loads is small', () => {
  expect(sizes.wholeBytes).toBeLessThan(1_500_000);
  expect(sizes.startBytes).toBeLessThan(900_000);
});

test('a deployment runs on simulated nodes, and its history is that of its seed', async () => {
  const [phases, digest] = await open.page.evaluate(async () => {
    const cluster = await coxswain.createCluster({ nodes: 3, seed: 7 });
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
    const { items } = await cluster.client.resource('v1', 'pods').namespace('default').list();
    const phases = items.map((pod) => (pod as unknown as { status: { phase: string } }).status.phase);
    return [phases, await cluster.history.digest()] as const;
  });
  expect(phases).toEqual(['Running', 'Running', 'Running']);
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

test('programs and webhooks are functions of the page', async () => {
  const found = await open.page.evaluate(async () => {
    const cluster = await coxswain.createCluster({ nodes: 1, seed: 1 });
    cluster.images.define('web:1', {
      listen: { 8080: async (request, { pod }) => new Response(`${pod.name} got ${await request.text()}`) },
    });
    cluster.webhooks.define('https://policy.example.com/', (review) => {
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
    const answer = await cluster.fetch('http://web.default', { method: 'POST', body: 'an order' });
    const text = await answer.text();
    await cluster.stop();
    return [stderr, text];
  });
  expect(found).toEqual(['Warning: seen by a function\n', 'web got an order']);
});

test('kubectl works as elsewhere: files, streams into containers, an editor', async () => {
  const manifest = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: nginx }] }
`;
  const printed = await commands(
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

test('a page hears nothing from the console, and nothing goes over a network', () => {
  expect(open.complaints).toEqual([]);
});
