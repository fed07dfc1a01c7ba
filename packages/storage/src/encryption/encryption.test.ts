import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { MemoryStorage } from '../engine/memory/memory-storage.ts';
import { Cacher } from '../cacher/cacher.ts';
import { thingCodec } from '../cacher/thing.fixture.ts';
import { isLocal, prefixRange, type Event } from '../storage.ts';
import { aesCbc, aesGcm } from './aes.ts';
import { encrypted } from './encrypted-storage.ts';
import { EnvelopeKeys } from './envelope-keys.ts';
import { envelope } from './envelope.ts';
import type { EncryptedKey, KeyEncryptionService } from './key-encryption-service.ts';
import { secretbox } from './secretbox.ts';
import { firstMatching, identity, type Opened, type Transformer } from './transformer.ts';

const text = (data: Uint8Array): string => new TextDecoder().decode(data);
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const key = (length: number, fill: number): Uint8Array => new Uint8Array(length).fill(fill);
const here = bytes('/registry/secrets/a/b');

const named = (name: string, transformer: Transformer) => ({ prefix: `${name}:`, transformer });

test.for([
  ['aescbc', aesCbc(key(32, 1)), false],
  ['aesgcm', aesGcm(key(16, 1)), true],
  ['secretbox', secretbox(key(32, 1)), false],
] as const)('%s gives back what it was given, and refuses what was changed', ([, transformer, isBound]) => {
  for (const size of [0, 1, 15, 16, 17, 4_000]) {
    const value = key(size, 65);
    const sealed = transformer.toStorage(value, here);
    expect(new Uint8Array((transformer.fromStorage(sealed, here) as Opened).data)).toEqual(value);
    expect(transformer.toStorage(value, here)).not.toEqual(sealed);
    expect(() => transformer.fromStorage(sealed.subarray(0, -1), here)).toThrow();
    if (isBound) expect(() => transformer.fromStorage(sealed, bytes('/elsewhere'))).toThrow(/authentication/);
  }
});

test('the first key writes, all are tried for reading, and values of other keys are stale', () => {
  const old = firstMatching([named('one', aesGcm(key(32, 1)))], 'none');
  const now = firstMatching(
    [
      named('one', aesGcm(key(32, 2))),
      named('one', aesGcm(key(32, 1))),
      { prefix: '', transformer: identity },
    ],
    'none',
  );
  const sealed = old.toStorage(bytes('a'), here);

  expect(now.fromStorage(sealed, here)).toMatchObject({ isStale: true });
  expect(now.fromStorage(now.toStorage(bytes('a'), here), here)).toMatchObject({ isStale: false });
  expect(now.fromStorage(bytes('plain'), here)).toMatchObject({ isStale: true });
  expect(() => now.fromStorage(bytes('k8s:enc:aescbc:v1:one:'), here)).toThrow('none');
});

/** Encrypts by reversing the bytes. */
class PretendedService implements KeyEncryptionService {
  keyId = '1';
  decryptions = 0;
  isWell = true;

  async status() {
    if (!this.isWell) throw new Error('away');
    return { version: 'v2', healthz: 'ok', keyId: this.keyId };
  }
  async encrypt(_uid: string, plaintext: Uint8Array): Promise<EncryptedKey> {
    return { ciphertext: plaintext.toReversed(), keyId: this.keyId, annotations: [] };
  }
  async decrypt(_uid: string, { ciphertext }: EncryptedKey): Promise<Uint8Array> {
    this.decryptions++;
    return ciphertext.toReversed();
  }
  close(): void {}
}

const keysOf = async (service: KeyEncryptionService, clock = new ManualClock()) => {
  const keys = new EnvelopeKeys('plugin', service, clock, () => 'uid');
  await keys.probe();
  return keys;
};

test("a key service is called once for a key, except by the key's creator", async () => {
  const service = new PretendedService();
  const [writer, reader] = [envelope(await keysOf(service)), envelope(await keysOf(service))];
  const sealed = [1, 2, 3].map((n) => writer.toStorage(key(n, n), here));

  const opened = await Promise.all(sealed.map((one) => reader.fromStorage(one, here)));

  expect(opened.map(({ data }) => data.length)).toEqual([1, 2, 3]);
  expect(service.decryptions).toBe(1);
  expect(reader.fromStorage(sealed[0]!, here)).not.toBeInstanceOf(Promise);
});

test('a new key of the service makes values stale', async () => {
  const service = new PretendedService();
  const keys = await keysOf(service);
  const sealed = envelope(keys).toStorage(bytes('a'), here);
  service.keyId = '2';
  await keys.probe();

  expect(await envelope(keys).fromStorage(sealed, here)).toMatchObject({ isStale: true });
});

test('three minutes after the last good answer nothing is encrypted any more, but still read', async () => {
  const clock = new ManualClock();
  const service = new PretendedService();
  const keys = await keysOf(service, clock);
  const sealed = envelope(keys).toStorage(bytes('a'), here);
  service.isWell = false;
  await clock.advance(3 * 60_000 + 1);

  await expect(keys.probe()).rejects.toThrow('error: away');
  expect(() => envelope(keys).toStorage(bytes('a'), here)).toThrow(/expired at/);
  expect(await envelope(keys).fromStorage(sealed, here)).toMatchObject({ isStale: false });
});

function encryptedMemory(first: Transformer = aesGcm(key(32, 1))) {
  const inner = new MemoryStorage({ clock: new ManualClock() });
  let transformer = firstMatching([named('one', first)], 'none');
  const storage = encrypted(inner, { transformer: () => transformer });
  return { inner, storage, rotate: (next: Transformer) => (transformer = next) };
}

test('stored values are encrypted, but not those of reads, lists and watches', async () => {
  const { inner, storage } = encryptedMemory();
  if (!isLocal(storage)) throw new Error('it is in this process');
  const seen: Event[] = [];
  storage.subscribe(prefixRange('/a/'), 0, {
    onEvents: ({ events }) => seen.push(...events),
    onEnd: (reason) => expect(reason).toBeUndefined(),
  });
  const written = await storage.update('/a/b', () => ({ kind: 'put', value: bytes('one') }));
  await storage.update('/a/b', (current) => ({ kind: 'put', value: bytes(`${text(current!.value)}, two`) }));
  await storage.update('/a/b', () => ({ kind: 'delete' }));

  expect(text(written!.value)).toBe('one');
  expect(text((await inner.get('/a/b', { revision: written!.modRevision }))!.value)).toMatch(/^one:/);
  expect(
    seen.map(({ type, entry, previous }) => [type, text(entry.value), previous && text(previous.value)]),
  ).toEqual([
    ['put', 'one', undefined],
    ['put', 'one, two', 'one'],
    ['delete', 'one, two', 'one, two'],
  ]);
});

test('a recorded write names the provider and the key, never the value', async () => {
  const prefix = 'k8s:enc:aesgcm:v1:first:';
  const storage = encrypted(new MemoryStorage({ clock: new ManualClock() }), {
    transformer: () => firstMatching([{ prefix, transformer: aesGcm(key(32, 1)) }], 'none'),
  });
  const notes: unknown[] = [];
  const observer = { begin: () => undefined, note: (values: object) => void notes.push(values) };
  await storage.update('/a/b', () => ({ kind: 'put', value: bytes('one') }), { observer });

  expect(notes).toContainEqual({ storedAs: prefix, storedBytes: expect.any(Number) });
});

test('a stale value is rewritten by an unchanged write, and only then', async () => {
  const { inner, storage, rotate } = encryptedMemory();
  const first = await storage.update('/a/b', () => ({ kind: 'put', value: bytes('one') }));
  const kept = await storage.update('/a/b', () => ({ kind: 'keep' }));
  expect(kept!.modRevision).toBe(first!.modRevision);
  rotate(firstMatching([named('two', aesGcm(key(32, 2))), named('one', aesGcm(key(32, 1)))], 'none'));

  const rewritten = await storage.update('/a/b', () => ({ kind: 'keep' }), { expected: kept! });

  expect(rewritten!.modRevision).toBeGreaterThan(first!.modRevision);
  expect(text(rewritten!.value)).toBe('one');
  expect(text((await inner.get('/a/b'))!.value)).toMatch(/^two:/);
});

test('a value that cannot be decrypted fails lists, but not reads of other values', async () => {
  const { inner, storage } = encryptedMemory();
  await storage.update('/things/good', () => ({ kind: 'put', value: bytes('{}') }));
  await inner.update('/things/bad', () => ({
    kind: 'put',
    value: bytes('one:nonsense-that-is-long-enough-for-it'),
  }));
  const cache = new Cacher({ storage, prefix: '/things/', codec: thingCodec(), clock: new ManualClock() });

  expect((await cache.get('/things/good'))?.key).toBe('/things/good');
  await expect(cache.get('/things/bad')).rejects.toThrow(/message authentication failed/);
  await expect((async () => cache.list())()).rejects.toThrow('unable to transform key "/things/bad": ');
});
