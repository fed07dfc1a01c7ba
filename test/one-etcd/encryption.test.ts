/** Values that the original's API server encrypts are read by ours, and the other way round. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startKmsPlugin, type RunningKmsPlugin } from './kms-plugin.fixture.ts';
import { ApiServer, Etcd, until } from './servers.ts';

const directory = process.env.ORIGINAL_BIN;
const etcdBinary = process.env.ETCD_BIN ?? (directory && join(directory, 'etcd'));

/** Each resource is of another provider. */
const configuration = (socket: string) => `
kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v1
resources:
- resources: [secrets]
  providers:
  - kms: {apiVersion: v2, name: plugin, endpoint: 'unix://${socket}', timeout: 3s}
  - identity: {}
- resources: [configmaps]
  providers:
  - aescbc: {keys: [{name: key1, secret: ${key(32, 1)}}, {name: key0, secret: ${key(16, 2)}}]}
- resources: [serviceaccounts]
  providers:
  - aesgcm: {keys: [{name: key1, secret: ${key(24, 3)}}]}
  - identity: {}
- resources: ['*.coordination.k8s.io']
  providers:
  - secretbox: {keys: [{name: key1, secret: ${key(32, 4)}}]}
- resources: [events]
  providers:
  - identity: {}
- resources: ['*.*']
  providers:
  - aesgcm: {keys: [{name: all, secret: ${key(32, 5)}}]}
`;

const key = (bytes: number, fill: number): string => Buffer.alloc(bytes, fill).toString('base64');

const cases = [
  [
    'secrets',
    '/api/v1/namespaces/default/secrets',
    'v1',
    'Secret',
    '/registry/secrets/default/',
    'k8s:enc:kms:v2:plugin:',
  ],
  [
    'configmaps',
    '/api/v1/namespaces/default/configmaps',
    'v1',
    'ConfigMap',
    '/registry/configmaps/default/',
    'k8s:enc:aescbc:v1:key1:',
  ],
  [
    'serviceaccounts',
    '/api/v1/namespaces/default/serviceaccounts',
    'v1',
    'ServiceAccount',
    '/registry/serviceaccounts/default/',
    'k8s:enc:aesgcm:v1:key1:',
  ],
  [
    'leases',
    '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    'coordination.k8s.io/v1',
    'Lease',
    '/registry/leases/default/',
    'k8s:enc:secretbox:v1:key1:',
  ],
  [
    'limitranges',
    '/api/v1/namespaces/default/limitranges',
    'v1',
    'LimitRange',
    '/registry/limitranges/default/',
    'k8s:enc:aesgcm:v1:all:',
  ],
] as const;

let etcd: Etcd;
let plugin: RunningKmsPlugin;
let original: ApiServer;
let ours: ApiServer;
let storage: EtcdStorage;
const files = mkdtempSync(join(tmpdir(), 'coxswain-encryption-'));

describe.runIf(directory && existsSync(join(directory, 'kube-apiserver')))(
  'encrypted values on one etcd',
  () => {
    beforeAll(async () => {
      etcd = await Etcd.start(etcdBinary!);
      storage = new EtcdStorage({ endpoints: [etcd.url] });
      const socket = join(files, 'kms.sock');
      plugin = await startKmsPlugin(socket);
      const file = join(files, 'encryption.yaml');
      writeFileSync(file, configuration(socket));
      const flags = [`--encryption-provider-config=${file}`];
      const binary = join(directory!, 'kube-apiserver');
      // Ours first, so that the original begins with what ours has encrypted.
      ours = await ApiServer.start({ etcd: [etcd.url], address: '192.0.2.12', flags });
      original = await ApiServer.start({ etcd: [etcd.url], binary, address: '192.0.2.11', flags });
    }, 120_000);
    afterAll(async () => {
      await Promise.all([original?.stop(), ours?.stop()]);
      await storage?.close();
      plugin?.stop();
      await etcd?.stop();
      rmSync(files, { recursive: true });
    }, 60_000);

    test.for(cases)('%s move both ways', async ([, path, apiVersion, kind, keys, prefix]) => {
      for (const [by, writer, reader] of [
        ['original', original, ours],
        ['ours', ours, original],
      ] as const) {
        const name = `sealed-${by}`;
        const made = await writer.send('POST', path, {
          apiVersion,
          kind,
          metadata: { name, labels: { a: 'b' } },
        });
        expect(made.status, made.text).toBe(201);
        const stored = await storage.get(keys + name);
        expect(Buffer.from(stored!.value).toString('latin1').slice(0, prefix.length)).toBe(prefix);
        const read = await reader.send('GET', `${path}/${name}`);
        expect(read.text).toBe((await writer.send('GET', `${path}/${name}`)).text);
        const changed = await reader.send(
          'PATCH',
          `${path}/${name}`,
          { metadata: { labels: { a: 'c' } } },
          'application/merge-patch+json',
        );
        expect(changed.status, changed.text).toBe(200);
        expect((await writer.send('GET', `${path}/${name}`)).json).toEqual(changed.json);
      }
    });

    test('a value that was moved to another key is refused by both, in the same words', async () => {
      const sealed = await storage.get('/registry/secrets/default/sealed-ours');
      await storage.update('/registry/secrets/moved/moved', () => ({ kind: 'put', value: sealed!.value }));
      const path = '/api/v1/namespaces/moved/secrets/moved';
      const list = '/api/v1/namespaces/moved/secrets';
      const wanted = [await original.send('GET', path), await original.send('GET', list)];
      const got = [await ours.send('GET', path), await ours.send('GET', list)];
      const unharmed = await ours.send('GET', '/api/v1/namespaces/default/secrets/sealed-ours');
      await storage.update('/registry/secrets/moved/moved', () => ({ kind: 'delete' }));
      expect(got.map(({ status, json }) => [status, json])).toEqual(
        wanted.map(({ status, json }) => [status, json]),
      );
      expect(unharmed.status).toBe(200);
      await until('reads of the resource', async () => (await ours.send('GET', list)).status === 200);
    }, 60_000);

    test('health tells of the key service, by one check', async () => {
      for (const server of [original, ours]) {
        expect((await server.send('GET', '/readyz/kms-providers')).text).toBe('ok');
        expect((await server.send('GET', '/healthz/kms-providers')).text).toBe('ok');
        expect((await server.send('GET', '/livez/kms-providers')).status).toBe(404);
      }
    });
  },
);
