/** Certificates that a program creates for its webhooks and shares among its instances. */

import { webcrypto, X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '@coxswain/apimachinery';
import type { KindRef } from '@coxswain/client';
import { createManager, denied, type Manager, validating, webhookConfigurations } from '@coxswain/controller';
import {
  webhookCertificates,
  webhookServer,
  type WebhookCertificates,
  type WebhookObject,
} from '@coxswain/controller/node.ts';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Greeting } from './greeting.fixture.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const secret = { namespace: 'default', name: 'webhooks' };
const service = { namespace: 'shop', name: 'greeter' };
const fieldManager = 'test';
const configuration: WebhookObject = { kind: 'ValidatingWebhookConfiguration', name: 'greeter' };
const Configuration: KindRef<{
  readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[];
}> = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  names: { plural: 'validatingwebhookconfigurations', namespaced: false },
};

let cluster: TestCluster;
let clock: ManualClock;
let errors: string[];
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  cluster = await createCluster({ clock: 'system', controllers: false, nodes: 0 });
  clock = new ManualClock(Date.now());
  errors = [];
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await cluster.stop();
});

/** Runs an instance of the program. */
function run(
  certificates: WebhookCertificates,
  serve?: { readonly onListening: (port: number) => void },
): Manager {
  const onError = (error: unknown) => void errors.push((error as Error).message);
  const manager = createManager({ client: cluster.client, clock, onError }).add(certificates);
  const handlers = {
    '/validate': validating(Greeting, ({ object }) =>
      object?.spec?.text === 'rude' ? denied('be polite') : undefined,
    ),
  };
  if (serve !== undefined)
    manager.add(webhookServer({ port: 0, host: '127.0.0.1', certificates, handlers, ...serve }));
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  stops.push(async () => (stopping.abort(), running));
  return manager;
}

async function runUntilInjected(): Promise<void> {
  run(shared());
  await eventually(async () => expect(await injected()).not.toBe(''));
  await stops.pop()!();
}

const apply = (server: Parameters<typeof webhookConfigurations>[0]['server']) =>
  Promise.all(
    webhookConfigurations({
      name: 'greeter',
      server,
      validating: [{ path: '/validate', kind: Greeting }],
    }).map((each) => cluster.client.apply(each, { fieldManager })),
  );
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 });
const secrets = () => cluster.client.resource('v1', 'secrets').namespace('default');
const stored = async () => (await secrets().get('webhooks')) as unknown as Stored;
interface Stored {
  readonly type: string;
  readonly metadata: { readonly resourceVersion: string };
  readonly data: Readonly<Record<string, string>>;
}
const text = ({ data }: Stored, key: string) => Buffer.from(data[key]!, 'base64').toString();
const injected = async () => {
  const found = await cluster.client.of(Configuration).get('greeter');
  return Buffer.from(found.webhooks[0]!.clientConfig.caBundle ?? '', 'base64').toString();
};
const shared = (inject: readonly WebhookObject[] = [configuration]) =>
  webhookCertificates({ secret, server: { service }, inject });

test('no virtual time passes while certificates are made, however long that takes', async () => {
  await using virtual = await createCluster({ controllers: false, nodes: 0 });
  const { generateKey } = webcrypto.subtle;
  const slow = vi.spyOn(webcrypto.subtle, 'generateKey').mockImplementation(async (...args: unknown[]) => {
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    return Reflect.apply(generateKey, webcrypto.subtle, args) as never;
  });
  const stopping = new AbortController();
  const manager = createManager({ client: virtual.client, clock: virtual.clock }).add(shared([]));
  const running = manager.start(stopping.signal);
  await virtual.clock.advance('1s');
  stopping.abort();
  await running;
  expect(slow).toHaveBeenCalledTimes(2);
  slow.mockRestore();
  const made = await virtual.client.resource('v1', 'secrets').namespace('default').get('webhooks');
  expect(made).toMatchObject({ type: 'kubernetes.io/tls' });
});

test('the API server trusts and asks a server whose certificate the program has made', async () => {
  await cluster.apply(Greeting.definition);
  const certificates = webhookCertificates({
    secret,
    server: { url: 'https://localhost' },
    inject: [configuration],
  });
  const port = Promise.withResolvers<number>();
  const manager = run(certificates, { onListening: port.resolve });
  await apply({ url: `https://localhost:${await port.promise}` });
  // The first attempt may have preceded the configuration.
  await clock.advance(5_000);
  await eventually(async () => expect(await injected()).toContain('BEGIN CERTIFICATE'));

  const greetings = cluster.client.of(Greeting).namespace('default');
  const refused = greetings.create({ metadata: { name: 'a' }, spec: { text: 'rude' } });
  await expect(refused).rejects.toThrow('be polite');
  expect(await notReady(manager)).toEqual([]);
});

test('the certificate bears the names of the Service, and is for servers only', async () => {
  await apply({ service });
  const certificates = shared();
  run(certificates);
  const { cert } = await certificates.ready;
  const read = new X509Certificate(cert);
  for (const name of ['greeter.shop.svc', 'greeter.shop.svc.cluster.local'])
    expect(read.checkHost(name)).toBe(name);
  expect([read.ca, read.checkHost('localhost')]).toEqual([false, undefined]);
});

test('instances that start together have one certificate', async () => {
  await apply({ service });
  const all = [shared(), shared(), shared()];
  for (const each of all) run(each);
  const identities = await Promise.all(all.map(({ ready }) => ready));
  expect(new Set(identities.map(({ cert }) => cert)).size).toBe(1);
  expect((await stored()).type).toBe('kubernetes.io/tls');
  expect(errors).toEqual([]);
});

test('90 days before its end a certificate is renewed by the same authority, and the server shows it', async () => {
  await apply({ service });
  const madeMs = clock.now();
  await runUntilInjected();
  const before = await stored();
  clock = new ManualClock(madeMs + (365 - 90) * dayMs - 10 * minuteMs);
  const certificates = shared();
  const port = Promise.withResolvers<number>();
  run(certificates, { onListening: port.resolve });
  expect((await certificates.ready).cert).toBe(text(before, 'tls.crt'));

  // Advances in steps, since signing happens in real time.
  await eventually(async () => {
    await clock.advance(minuteMs);
    expect(await shownBy(await port.promise)).not.toBe(text(before, 'tls.crt'));
  });
  const after = await stored();
  expect(text(after, 'ca.crt')).toBe(text(before, 'ca.crt'));
  expect(await shownBy(await port.promise)).toBe(text(after, 'tls.crt'));
});

test('a new authority is made known beside the one before it', async () => {
  await apply({ service });
  await runUntilInjected();
  const old = await injected();
  clock = new ManualClock(Date.now() + 3600 * dayMs);

  run(shared());

  await eventually(async () => expect(await injected()).not.toBe(old));
  const bundle = await injected();
  expect(bundle.match(/BEGIN/g)).toHaveLength(2);
  expect(bundle.endsWith(old)).toBe(true);
  const leaf = new X509Certificate(text(await stored(), 'tls.crt'));
  expect(leaf.verify(new X509Certificate(bundle).publicKey)).toBe(true);
});

test('applying the configuration again keeps the authority, and a different one is replaced', async () => {
  await apply({ service });
  run(shared());
  await eventually(async () => expect(await injected()).not.toBe(''));
  const authority = await injected();
  await apply({ service });
  expect(await injected()).toBe(authority);
  const webhooks = [
    { name: 'validate.greetings.example.com', clientConfig: { caBundle: btoa(authority + authority) } },
  ];
  await cluster.client
    .of(Configuration)
    .apply({ metadata: { name: 'greeter' }, webhooks } as never, { fieldManager: 'other', force: true });

  await clock.advance(60_000);

  await eventually(async () => expect(await injected()).toBe(authority));
});

test('a Secret that is empty, or holds something else, is filled, and its other keys stay', async () => {
  await apply({ service });
  const data = { 'tls.crt': btoa('nonsense'), 'ca.crt': btoa('nonsense'), other: btoa('mine') };
  await secrets().create({ metadata: { name: 'webhooks', labels: { a: 'b' } }, data } as never);

  run(shared());

  await eventually(async () => expect(await injected()).not.toBe(''));
  const now = await stored();
  expect(now).toMatchObject({
    type: 'Opaque',
    metadata: { labels: { a: 'b' } },
    data: { other: btoa('mine') },
  });
  expect(text(now, 'ca.crt')).toBe(await injected());
});

test('the conversion webhook of a definition is updated, too; a definition without one is an error', async () => {
  await apply({ service });
  await cluster.apply(Greeting.definition);
  const definition = { kind: 'CustomResourceDefinition', name: 'greetings.example.com' } as const;
  const manager = run(shared([definition]));
  await eventually(() => expect(errors).toEqual(['the definition has no conversion webhook']));
  expect(await notReady(manager)).toEqual(['webhook-certificates']);
  const clientConfig = { service: { ...service, path: '/convert' } };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  await cluster.apply({ ...Greeting.definition, spec: { ...Greeting.definition.spec, conversion } });

  await clock.advance(5_000);

  const definitions = cluster.client.resource('apiextensions.k8s.io/v1', 'customresourcedefinitions');
  await eventually(async () =>
    expect(await definitions.get(definition.name)).toMatchObject({
      spec: { conversion: { webhook: { clientConfig: { caBundle: (await stored()).data['ca.crt'] } } } },
    }),
  );
});

const notReady = async (manager: Manager) =>
  (await manager.readyChecks.run())!.flatMap(({ name, failure }) => (failure === undefined ? [] : [name]));

const shownBy = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!.toString());
      socket.destroy();
    });
    socket.on('error', reject);
  });
