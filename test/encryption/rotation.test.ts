/** Keys are replaced while the server runs, by an embedded store and by a key service. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { serverStores, type ServerStores } from '@coxswain/kube-apiserver/server-stores.ts';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import { sha256Text } from '@coxswain/storage/encryption/sha256-text.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startKmsPlugin } from '../one-etcd/kms-plugin.fixture.ts';

let directory: string;
let clock: ManualClock;
let embedded: LmdbStorage;
let stores: ServerStores;
let lines: string[];
let metrics: Metrics;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'coxswain-rotation-'));
  clock = new ManualClock();
  lines = [];
  metrics = new Metrics();
});
afterEach(async () => {
  await stores.close();
  await embedded.close();
  rmSync(directory, { recursive: true });
});

const file = () => join(directory, 'encryption.yaml');

function writeConfiguration(provider: string): void {
  const text = `
kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v1
resources:
- resources: [secrets]
  providers:
  - ${provider}
  - identity: {}
`;
  // As a whole, as mounted files are.
  writeFileSync(`${file()}.new`, text);
  renameSync(`${file()}.new`, file());
}

const aesKeys = (...names: string[]): string => {
  const keys = names.map((name) => `{name: ${name}, secret: ${Buffer.alloc(32, name).toString('base64')}}`);
  return `aescbc: {keys: [${keys.join(', ')}]}`;
};

async function open(): Promise<void> {
  const settings = { encryption: { file: file(), reloads: true }, compactionMs: 0 };
  embedded = new LmdbStorage({ directory: join(directory, 'data'), historyMsMax: 0, clock });
  const parts = {
    clock,
    newUid: () => crypto.randomUUID(),
    log: (line: string) => void lines.push(line),
    metrics,
    serverId: 'apiserver-a',
  };
  stores = await serverStores(settings, async () => embedded, parts);
}

const secrets = () => stores.storageFor({ group: '', resource: 'secrets' });
const put = (name: string, value: string) =>
  secrets().update(`/registry/secrets/a/${name}`, () => ({ kind: 'put', value: Buffer.from(value) }));
const read = async (name: string): Promise<string> =>
  Buffer.from((await secrets().get(`/registry/secrets/a/${name}`))!.value).toString();
/** The beginning of what is on the disk. */
const stored = async (name: string): Promise<string> =>
  Buffer.from((await embedded.get(`/registry/secrets/a/${name}`))!.value)
    .toString('latin1')
    .split(':')
    .slice(0, 5)
    .join(':');
/** What a storage migration does: each object is written as it is. */
const rewrite = async (name: string): Promise<void> => void (await put(name, await read(name)));

/** Samples of a metric by those of their labels that are asked for. */
const counted = (name: string, ...labels: readonly string[]): Readonly<Record<string, number>> => {
  const lines = metrics
    .exposition()
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`));
  const named = lines.map((line) => {
    const values = labels.map((label) => new RegExp(`${label}="([^"]*)"`).exec(line)?.[1]);
    return [values.join(' '), Number(line.slice(line.lastIndexOf(' ')))] as const;
  });
  return Object.fromEntries(named);
};

async function reloaded(): Promise<void> {
  await clock.advance(60_000);
  await expect.poll(() => lines.some((line) => line.includes('was reloaded')), { timeout: 5_000 }).toBe(true);
  lines.length = 0;
}

describe('keys of a file that is read again', () => {
  test('are rotated without a restart: the old one is read, the new one written, and the old one may go', async () => {
    writeConfiguration(aesKeys('one'));
    await open();
    await put('old', 'a secret');
    expect(await stored('old')).toBe('k8s:enc:aescbc:v1:one');

    writeConfiguration(aesKeys('two', 'one'));
    await reloaded();
    expect(await read('old')).toBe('a secret');
    await put('new', 'another');
    expect([await stored('old'), await stored('new')]).toEqual([
      'k8s:enc:aescbc:v1:one',
      'k8s:enc:aescbc:v1:two',
    ]);

    await rewrite('old');
    writeConfiguration(aesKeys('two'));
    await reloaded();
    expect([await read('old'), await stored('old')]).toEqual(['a secret', 'k8s:enc:aescbc:v1:two']);
    expect(counted('apiserver_encryption_config_controller_automatic_reloads_total', 'status')).toEqual({
      success: 2,
    });
    expect(
      counted(
        'apiserver_storage_transformation_operations_total',
        'resource',
        'transformation_type',
        'status',
      ),
    ).toEqual({ 'secrets to_storage OK': 3, 'secrets from_storage OK': 4 });
  });

  test('stay as they are while the file makes no sense, which is told', async () => {
    writeConfiguration(aesKeys('one'));
    await open();
    await put('old', 'a secret');
    writeConfiguration('aescbc: {keys: [{name: two, secret: dG9vIHNob3J0}]}');
    await clock.advance(60_000);
    await expect
      .poll(() => lines.join(), { timeout: 5_000 })
      .toContain('error processing encryption config file');

    expect(await read('old')).toBe('a secret');
    await put('new', 'another');
    expect(await stored('new')).toBe('k8s:enc:aescbc:v1:one');
    writeConfiguration(aesKeys('two', 'one'));
    await reloaded();
    expect(await read('new')).toBe('another');
  });

  test('that went too early are told of by their values', async () => {
    writeConfiguration(aesKeys('one'));
    await open();
    await put('old', 'a secret');
    writeConfiguration(aesKeys('two'));
    await reloaded();

    await expect(read('old')).rejects.toMatchObject({ kind: 'encryption' });
    expect(
      counted('apiserver_storage_transformation_operations_total', 'transformation_type', 'status'),
    ).toEqual({ 'to_storage OK': 1, 'from_storage unknown-non-grpc': 1 });
  });
});

test('the key of a key service is rotated by the service, whose health is told', async () => {
  const socket = join(directory, 'kms.sock');
  const plugin = await startKmsPlugin(socket);
  writeConfiguration(`kms: {apiVersion: v2, name: plugin, endpoint: 'unix://${socket}', timeout: 3s}`);
  await open();
  await put('old', 'a secret');
  expect(await stored('old')).toBe('k8s:enc:kms:v2:plugin');
  const [check] = stores.keyChecks;
  expect([check!.name, await check!.check()]).toEqual(['kms-providers', undefined]);

  plugin.keyId = 'key-number-2';
  const calls = () => plugin.calls.filter((call) => call === 'Encrypt').length;
  const before = calls();
  await clock.advance(60_000);
  await expect.poll(calls, { timeout: 5_000 }).toBeGreaterThan(before);
  await put('new', 'another');
  expect([await read('old'), await read('new')]).toEqual(['a secret', 'another']);
  const raw = Buffer.from((await embedded.get('/registry/secrets/a/new'))!.value).toString('latin1');
  expect(raw).toContain('key-number-2');

  const hashes = ['key-1', 'key-number-2'].map(sha256Text);
  expect(
    counted('apiserver_envelope_encryption_key_id_hash_total', 'key_id_hash', 'transformation_type'),
  ).toEqual({
    [`${hashes[0]} to_storage`]: 1,
    [`${hashes[0]} from_storage`]: 1,
    [`${hashes[1]} to_storage`]: 1,
    [`${hashes[1]} from_storage`]: 1,
  });
  const kms = 'apiserver_envelope_encryption_kms_operations_latency_seconds_count';
  expect(counted(kms, 'method_name', 'grpc_status_code')).toMatchObject({
    '/v2.KeyManagementService/Encrypt OK': 2,
  });
  expect(counted('apiserver_envelope_encryption_dek_source_cache_size', 'provider_name')).toEqual({
    plugin: 2,
  });

  plugin.healthz = 'out of order';
  await clock.advance(20_000);
  expect(await check!.check()).toContain('out of order');
  plugin.stop();
});
