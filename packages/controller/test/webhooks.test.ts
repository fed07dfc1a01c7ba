/** Webhooks called by an API server over HTTPS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, request } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { ManualClock } from '@coxswain/apimachinery';
import { customKind } from '@coxswain/client';
import {
  conversion,
  createManager,
  denied,
  mutating,
  validating,
  webhookConfigurations,
  type WebhookHandler,
} from '@coxswain/controller';
import { probeServer, webhookServer } from '@coxswain/controller/node.ts';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../test/attack/certificate-authority.ts';
import { Greeting } from './greeting.fixture.ts';

let cluster: TestCluster;
let authority: CertificateAuthority;
let directory: string;
let port = 0;
let probePort = 0;
let isIll = false;
const clock = new ManualClock();
const stopping = new AbortController();
let running: Promise<void>;
const fieldManager = 'test';

const handlers: Record<string, WebhookHandler> = {
  '/mutate': mutating(Greeting, ({ object }) => {
    object.spec = { from: 'me', ...object.spec };
    object.metadata.labels = { ...object.metadata.labels, 'example.com/tone': 'd' };
    return object;
  }),
  '/validate': validating(Greeting, ({ object, operation, userInfo }) => {
    if (object?.spec?.text === 'crash') throw new Error('the webhook is at a loss');
    if (object?.spec?.text === 'rude')
      return denied(`${userInfo.username} may not ${operation} rude greetings`);
    if (object?.spec?.text === 'curt') return { allowed: true, warnings: ['that is curt'] };
  }),
  '/convert': conversion(({ metadata, ...rest }, to) => {
    if (metadata.name === 'odd') throw new Error('odd things have no other version');
    const { spec = {} } = rest as { spec?: Record<string, unknown> };
    const { text, words } = spec as { text?: string; words?: string[] };
    return {
      spec: to.endsWith('/v2') ? { words: text?.split(' ') ?? [] } : { text: words?.join(' ') ?? '' },
    };
  }),
};

beforeAll(async () => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-webhooks-'));
  authority = await CertificateAuthority.create('webhooks');
  await writeIdentity('one.test');
  cluster = await createCluster({ clock: 'system', controllers: false, nodes: 0 });
  const manager = createManager({ client: cluster.client, clock });
  const listening = Promise.withResolvers<void>();
  const probing = Promise.withResolvers<void>();
  manager.healthChecks.add('mood', () => {
    if (isIll) throw new Error('not well');
  });
  manager.add(
    webhookServer({
      port: 0,
      host: '127.0.0.1',
      certFile: path.join(directory, 'tls.crt'),
      keyFile: path.join(directory, 'tls.key'),
      handlers,
      onListening: (opened) => void ((port = opened), listening.resolve()),
    }),
  );
  manager.add(
    probeServer({
      port: 0,
      host: '127.0.0.1',
      onListening: (opened) => void ((probePort = opened), probing.resolve()),
    }),
  );
  running = manager.start(stopping.signal);
  await Promise.all([listening.promise, probing.promise]);
  await cluster.apply(Greeting.definition);
  const installed = webhookConfigurations({
    name: 'greetings',
    server: { url: `https://localhost:${port}` },
    authority: authority.pem,
    mutating: [{ path: '/mutate', kind: Greeting }],
    validating: [{ path: '/validate', kind: Greeting }],
  });
  for (const each of installed) await cluster.client.apply(each, { fieldManager });
}, 60_000);
afterAll(async () => {
  stopping.abort();
  await running;
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

const greetings = () => cluster.client.of(Greeting).namespace('default');

test('an object is stored as the mutating webhook made it', async () => {
  const created = await cluster.eventually(async () => {
    const greeting = await greetings().apply(
      { metadata: { name: 'a' }, spec: { text: 'hello' } },
      { fieldManager },
    );
    expect(greeting.metadata.labels).toEqual({ 'example.com/tone': 'd' });
    return greeting;
  });

  expect(created.spec).toEqual({ from: 'me', text: 'hello' });
}, 60_000);

test('a request that the validating webhook denies is refused with its message', async () => {
  const refused = greetings().create({ metadata: { name: 'rude' }, spec: { text: 'rude' } });

  await expect(refused).rejects.toMatchObject({
    code: 403,
    message: expect.stringMatching(/denied the request: \S+ may not CREATE rude greetings$/),
  });
}, 60_000);

test('a webhook that throws refuses, and says why', async () => {
  const refused = greetings().create({ metadata: { name: 'x' }, spec: { text: 'crash' } });

  await expect(refused).rejects.toMatchObject({
    message: expect.stringMatching(/the webhook is at a loss$/),
  });
}, 60_000);

test('warnings reach the client', async () => {
  const warnings: string[] = [];
  const client = cluster.client.with({ onWarning: (text) => warnings.push(text) });
  await client
    .of(Greeting)
    .namespace('default')
    .create({ metadata: { name: 'curt' }, spec: { text: 'curt' } });

  expect(warnings).toEqual(['that is curt']);
}, 60_000);

test('objects are converted between versions, and failures are reported', async () => {
  await cluster.apply(converted());
  const Second = customKind(converted(), 'v2');
  const words = await cluster.eventually(() =>
    cluster.client
      .of(Second)
      .namespace('default')
      .apply({ metadata: { name: 'two' }, spec: { words: ['good', 'day'] } }, { fieldManager }),
  );
  expect(words.spec).toEqual({ words: ['good', 'day'] });
  const First = customKind(converted());
  expect((await cluster.client.of(First).namespace('default').get('two')).spec).toEqual({ text: 'good day' });
  const odd = cluster.client
    .of(Second)
    .namespace('default')
    .create({ metadata: { name: 'odd' }, spec: {} });

  await expect(odd).rejects.toThrow('odd things have no other version');
}, 60_000);

test('webhooks of a Service are named after their path and kind, and list the requests that they handle', () => {
  const [only, ...others] = webhookConfigurations({
    name: 'pods',
    server: { service: { namespace: 'shop', name: 'webhooks' } },
    validating: [
      {
        path: '/v1/Judge',
        kind: { apiVersion: 'v1', kind: 'Pod' },
        operations: ['DELETE'],
        failurePolicy: 'Ignore',
        objectSelector: { matchLabels: { app: 'web' } },
      },
    ],
  });

  expect(others).toEqual([]);
  expect(only).toMatchObject({
    kind: 'ValidatingWebhookConfiguration',
    webhooks: [
      {
        name: 'v1-judge.pods.core',
        clientConfig: { service: { namespace: 'shop', name: 'webhooks', path: '/v1/Judge' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['DELETE'] }],
        failurePolicy: 'Ignore',
        objectSelector: { matchLabels: { app: 'web' } },
      },
    ],
  });
});

test('a body that is not a review is refused with 400, and other requests with an explanation', async () => {
  expect(await post('/validate', '{"kind":"Pod"}')).toEqual([400, 'the body is not an AdmissionReview\n']);
  expect((await post('/validate', 'nonsense'))[0]).toBe(400);
  expect(await post('/else', '{}')).toEqual([404, 'no webhook at /else\n']);
  expect((await post('/validate', '{}', { 'content-type': 'text/plain' }))[0]).toBe(415);
  expect((await post('/validate', '{}', {}, 'PUT'))[0]).toBe(405);
  expect((await post('/validate', 'x'.repeat(9 * 1024 * 1024)))[0]).toBe(413);
}, 60_000);

test('a renewed certificate is shown without a new start, and half a renewal is not', async () => {
  expect(await shownName()).toBe('one.test');
  const second = await authority.issue({ name: 'CN=two.test', usage: 'server', dnsNames: ['localhost'] });
  writeFileSync(path.join(directory, 'tls.crt'), second.cert);
  await clock.advance(11_000);
  expect(await shownName()).toBe('one.test');
  writeFileSync(path.join(directory, 'tls.key'), second.key);
  await clock.advance(11_000);
  expect(await shownName()).toBe('two.test');
  await writeIdentity('one.test');
  await clock.advance(11_000);
}, 60_000);

test('probes report health and readiness, check by check', async () => {
  expect(await probe('/healthz')).toEqual([200, 'ok']);
  expect(await probe('/readyz/informers')).toEqual([200, 'ok']);
  isIll = true;
  expect(await probe('/healthz')).toEqual([500, '[-]mood failed: not well\nhealthz check failed\n']);
  isIll = false;
  expect((await probe('/healthz/else'))[0]).toBe(404);
}, 60_000);

async function writeIdentity(name: string): Promise<void> {
  const { cert, key } = await authority.issue({
    name: `CN=${name}`,
    usage: 'server',
    dnsNames: ['localhost'],
  });
  writeFileSync(path.join(directory, 'tls.crt'), cert);
  writeFileSync(path.join(directory, 'tls.key'), key);
}

const clientConfig = (url: string) => ({
  url: `https://localhost:${port}${url}`,
  caBundle: Buffer.from(authority.pem).toString('base64'),
});

const version = <const N extends string, const P>(name: N, storage: boolean, spec: P) =>
  ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
    },
  }) as const;

const converted = () => {
  const versions = [
    { ...version('v1', true, { text: { type: 'string' } }), storage: true },
    { ...version('v2', false, { words: { type: 'array', items: { type: 'string' } } }), storage: false },
  ] as const;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'phrases.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'phrases', kind: 'Phrase' },
      versions,
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: clientConfig('/convert'), conversionReviewVersions: ['v1'] },
      },
    },
  } as const;
};

function post(
  url: string,
  body: string,
  headers = { 'content-type': 'application/json' } as object,
  method = 'POST',
) {
  return new Promise<[number, string]>((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: url,
      method,
      headers: { 'content-type': 'application/json', ...headers },
      rejectUnauthorized: false,
      agent: false as const,
    };
    const sent = request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve([answer.statusCode ?? 0, text]));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const shownName = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = get({ host: '127.0.0.1', port, rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume();
      resolve(String((answer.socket as TLSSocket).getPeerCertificate().subject.CN));
    });
    sent.on('error', reject);
  });

async function probe(url: string): Promise<[number, string]> {
  const answer = await fetch(`http://127.0.0.1:${probePort}${url}`);
  return [answer.status, await answer.text()];
}
