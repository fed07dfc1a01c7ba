import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { notFound } from '@coxswain/apimachinery';
import { payloadDigest, writeAtomically } from './atomic-writer.ts';
import { prepareHostPath } from './host-path.ts';
import { bindSubPath } from './sub-path.ts';
import { volumePayload } from './volume-content.ts';

const root = mkdtempSync(path.join(tmpdir(), 'volumes-'));
afterAll(() => rmSync(root, { recursive: true }));

const payload = (files: Record<string, string>, mode = 0o640) =>
  new Map(
    Object.entries(files).map(([name, text]) => [name, { bytes: new TextEncoder().encode(text), mode }]),
  );

test('files of a volume change all at once, and those that are gone vanish', async () => {
  const directory = path.join(root, 'atomic');
  mkdirSync(directory);
  await writeAtomically(directory, payload({ a: '1', 'deep/b': '2' }), Date.UTC(2026, 0, 1));
  expect(readlinkSync(path.join(directory, 'a'))).toBe('..data/a');
  expect(readlinkSync(path.join(directory, '..data'))).toMatch(/^\.\.2026_01_01_00_00_00\.\d+$/);
  expect(statSync(path.join(directory, 'a')).mode & 0o777).toBe(0o640);
  const before = readlinkSync(path.join(directory, '..data'));
  await writeAtomically(directory, payload({ a: '3' }), Date.UTC(2026, 0, 2));
  expect(readFileSync(path.join(directory, 'a'), 'utf8')).toBe('3');
  expect(readdirSync(directory).sort()).toEqual(
    [readlinkSync(path.join(directory, '..data')), '..data', 'a'].sort(),
  );
  expect(readdirSync(directory)).not.toContain(before);
});

test.each(['', '/etc/passwd', '../up', 'a/../../b', '..data'])(
  'a file may not be called %j',
  async (name) => {
    const directory = mkdtempSync(path.join(root, 'bad-'));
    await expect(writeAtomically(directory, payload({ [name]: 'x' }), 0)).rejects.toThrow('invalid path');
    expect(readdirSync(directory)).toEqual([]);
  },
);

test('an unchanged payload is known by its digest, whatever the order of its files', () => {
  expect(payloadDigest(payload({ a: '1', b: '2' }))).toBe(payloadDigest(payload({ b: '2', a: '1' })));
  expect(payloadDigest(payload({ a: '1' }))).not.toBe(payloadDigest(payload({ a: '1' }, 0o600)));
});

test('a path of the node is what its type says, or is refused', async () => {
  const file = path.join(root, 'a-file');
  await prepareHostPath(path.join(root, 'made/deep'), 'DirectoryOrCreate');
  expect(statSync(path.join(root, 'made/deep')).isDirectory()).toBe(true);
  await prepareHostPath(file, 'FileOrCreate');
  await expect(prepareHostPath(file, 'Directory')).rejects.toThrow(
    `hostPath type check failed: ${file} is not a directory`,
  );
  await expect(prepareHostPath('/no/such', 'Socket')).rejects.toThrow('is not a socket file');
});

test('a part of a volume is refused when it leads out of it', async () => {
  const volume = path.join(root, 'volume');
  mkdirSync(volume);
  symlinkSync('/etc', path.join(volume, 'evil'));
  writeFileSync(path.join(volume, 'good'), 'x');
  const target = path.join(root, 'target');
  await expect(bindSubPath({ volume, subPath: 'evil/passwd', target })).rejects.toThrow(
    'leads out of the volume',
  );
  await expect(bindSubPath({ volume, subPath: '../x', target })).rejects.toThrow("must not contain '..'");
  await expect(bindSubPath({ volume, subPath: '/etc', target })).rejects.toThrow(
    'must not be an absolute path',
  );
});

test('a projected volume gathers its sources, and a token is for its user alone', async () => {
  const pod = {
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', securityContext: { runAsUser: 1000 } }] },
  } as unknown as Pod;
  const sources = {
    configMap: async () => ({ data: { colour: 'red', shape: 'round' } }) as never,
    secret: async (_namespace: string, name: string) => {
      if (name === 'gone') throw notFound({ group: '', resource: 'secret' }, name);
      return { data: { key: 'c2VjcmV0' } } as never;
    },
    token: async (_pod: Pod, audience: string) => `token for ${audience}`,
    facts: () => ({ hostIps: [], podIps: [], allocatable: {} }),
  };
  const volume = (projected: object) => ({ name: 'v', projected }) as never;
  const files = await volumePayload(
    pod,
    volume({
      defaultMode: 0o440,
      sources: [
        { configMap: { name: 'settings', items: [{ key: 'colour', path: 'in/colour', mode: 0o400 }] } },
        { secret: { name: 'keys' } },
        { secret: { name: 'gone', optional: true } },
        { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        { serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 600 } },
      ],
    }),
    sources,
  );
  const shown = [...files].map(([name, { bytes, mode, uid }]) => [
    name,
    new TextDecoder().decode(bytes),
    mode,
    uid,
  ]);
  expect(shown).toEqual([
    ['in/colour', 'red', 0o400, undefined],
    ['key', 'secret', 0o440, undefined],
    ['labels', 'app="web"', 0o440, undefined],
    ['token', 'token for vault', 0o600, 1000],
  ]);
  await expect(
    volumePayload(pod, volume({ sources: [{ secret: { name: 'gone' } }] }), sources),
  ).rejects.toThrow('secret "gone" not found');
  const wrong = { configMap: { name: 'settings', items: [{ key: 'size', path: 's' }] } };
  await expect(volumePayload(pod, volume({ sources: [wrong] }), sources)).rejects.toThrow(
    'configmap references non-existent config key: size',
  );
});

const certificate = (text: string): string =>
  `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;

test('trust bundles are joined, each certificate once; one that is missing is an error unless it is optional', async () => {
  const bundle = (...texts: string[]) => ({ spec: { trustBundle: texts.map(certificate).join('note\n') } });
  const sources = {
    trustBundles: async ({ name, signerName }: { name?: string | null; signerName?: string | null }) => {
      if (name === 'gone')
        throw notFound({ group: 'certificates.k8s.io', resource: 'clustertrustbundles' }, name);
      if (name) return [bundle('QUFB')] as never;
      return (signerName === 'example.com/s' ? [bundle('Qg==', 'QUFB'), bundle('QUFB')] : []) as never;
    },
    facts: () => ({ hostIps: [], podIps: [], allocatable: {} }),
  };
  const content = async (clusterTrustBundle: object) => {
    const volume = {
      name: 'v',
      projected: { sources: [{ clusterTrustBundle: { path: 'ca', ...clusterTrustBundle } }] },
    };
    const files = await volumePayload(
      { metadata: {}, spec: { containers: [] } } as never,
      volume as never,
      sources as never,
    );
    return new TextDecoder().decode(files.get('ca')?.bytes);
  };
  expect(await content({ signerName: 'example.com/s', labelSelector: {} })).toBe(
    certificate('QUFB') + certificate('Qg=='),
  );
  expect(await content({ name: 'one' })).toBe(certificate('QUFB'));
  expect(await content({ name: 'gone', optional: true })).toBe('');
  await expect(content({ name: 'gone' })).rejects.toThrow('while getting ClusterTrustBundle:');
  await expect(content({ signerName: 'example.com/none', labelSelector: {} })).rejects.toThrow(
    'combination of signerName and labelSelector matched zero ClusterTrustBundles',
  );
});
