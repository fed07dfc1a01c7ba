/** Certificates of a trusted authority whose names are written so that one reader may see another name than the next. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { Name as X509Name, Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackedServer, whoIs, type AttackedServer } from './attacked-server.ts';
import type { Name } from './certificate-authority.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

const nameOf = async (name: Name) => whoIs(attacked, { identity: await attacked.users.issue({ name }) });

test('of several common names the last counts, and of organizations each', async () => {
  const name: Name = [{ CN: ['root'] }, { O: ['dev'] }, { CN: ['jane'] }, { O: ['ops'] }];

  expect(await nameOf(name)).toMatchObject({
    username: 'jane',
    groups: ['dev', 'ops', 'system:authenticated'],
  });
});

test.each<[string, Name]>([
  ['of two bytes a letter', [{ CN: [{ bmpString: 'jané' }] }]],
  ['as UTF-8', [{ CN: [{ utf8String: 'jané' }] }]],
])('a name is read by its encoding: %s', async (_what, name) => {
  expect(await nameOf(name)).toMatchObject({ username: 'jané' });
});

test('a name that ends early for those who stop at a zero is another name', async () => {
  expect(await nameOf([{ CN: [{ utf8String: 'admin\0.example.com' }] }])).toMatchObject({
    username: 'admin\0.example.com',
  });
});

test('a mark of byte order belongs to the name', async () => {
  expect(await nameOf([{ CN: [{ utf8String: '\ufeffadmin' }] }])).toMatchObject({ username: '\ufeffadmin' });
});

test.each<[string, Name]>([
  ['units', [{ CN: ['jane'] }, { OU: ['system:masters'] }]],
  ['titles', [{ CN: ['jane'] }, { T: ['system:masters'] }]],
  ['one with a comma', [{ CN: ['jane'] }, { O: ['dev,system:masters'] }]],
  ['one with the name of an attribute', [{ CN: ['jane,O=system:masters'] }]],
  ['one in other letters', [{ CN: ['jane'] }, { O: ['System:Masters'] }]],
  ['one with a blank behind', [{ CN: ['jane'] }, { O: ['system:masters '] }]],
  ['one behind a mark of byte order', [{ CN: ['jane'] }, { O: [{ utf8String: '\ufeffsystem:masters' }] }]],
  ['one behind a mark of two bytes', [{ CN: ['jane'] }, { O: [{ bmpString: '\ufeffsystem:masters' }] }]],
])('only organizations are groups, letter by letter: not %s', async (_what, name) => {
  const who = await nameOf(name);

  expect(who?.username).toMatch(/^jane/);
  expect(who?.groups).not.toContain('system:masters');
});

test('without a common name a certificate is nobody’s', async () => {
  const who = await nameOf([{ O: ['system:masters'] }]);

  expect(who?.groups ?? []).not.toContain('system:masters');
  expect(who?.username ?? 'system:anonymous').toBe('system:anonymous');
});

test.each<[string, Name]>([
  ['letters that its encoding hasn’t', [{ CN: [{ printableString: 'ja@ne' }] }]],
  ['an encoding of four bytes a letter, which nobody reads', [{ CN: [{ universalString: 'jane' }] }]],
])('who has %s is not let in', async (_what, name) => {
  expect(await nameOf(name)).toBeUndefined();
});

test('a name without end is a name', async () => {
  const long = 'x'.repeat(60_000);

  expect(await nameOf([{ CN: [{ utf8String: long }] }])).toMatchObject({ username: long });
});

test('nine hundred groups are nine hundred groups', async () => {
  const groups = Array.from({ length: 900 }, (_, at) => `g${at}`);

  const who = await nameOf([{ CN: ['jane'] }, ...groups.map((group) => ({ O: [group] }))]);

  expect(who?.groups).toEqual([...groups, 'system:authenticated']);
});

test.each(['utf8String', 'bmpString', 'printableString', 'ia5String'])(
  'nobody asks for a certificate of the masters in %s',
  async (encoding) => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as Parameters<
      typeof Pkcs10CertificateRequestGenerator.create
    >[0]['keys'];
    const asked = await Pkcs10CertificateRequestGenerator.create({
      name: new X509Name([{ CN: ['jane'] }, { O: [{ [encoding]: 'system:masters' }] }]),
      keys,
      signingAlgorithm: algorithm,
    });
    const { status, text } = await attacked.send({
      path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      method: 'POST',
      as: 'admin',
      body: JSON.stringify({
        metadata: { name: `masters-${encoding.toLowerCase()}` },
        spec: {
          request: Buffer.from(asked.toString('pem')).toString('base64'),
          signerName: 'kubernetes.io/kube-apiserver-client',
          usages: ['client auth'],
        },
      }),
    });

    expect([status, text]).toEqual([403, expect.stringContaining('system:masters')]);
  },
);
