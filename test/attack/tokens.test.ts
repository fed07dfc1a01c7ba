/** Tokens that claim to be signed, and aren't; and tokens that are asked about without end. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedServer, issuer, whoIs, type AttackedServer } from './attacked-server.ts';

let attacked: AttackedServer;
let genuine: string;
beforeAll(async () => {
  attacked = await attackedServer();
  const { text } = await attacked.send({
    path: '/api/v1/namespaces/default/serviceaccounts',
    method: 'POST',
    as: 'admin',
    body: JSON.stringify({ metadata: { name: 'builder' } }),
  });
  expect(text).toContain('builder');
  const answer = await attacked.send({
    path: '/api/v1/namespaces/default/serviceaccounts/builder/token',
    method: 'POST',
    as: 'admin',
    body: JSON.stringify({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: [issuer] },
    }),
  });
  genuine = (JSON.parse(answer.text) as { status: { token: string } }).status.token;
});
afterAll(() => attacked.stop());

const encode = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const head = (): Record<string, unknown> => decoded(genuine.split('.')[0]!);
const claims = (): Record<string, unknown> => decoded(genuine.split('.')[1]!);
const decoded = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

const withBearer = (token: string) => whoIs(attacked, { headers: { authorization: `Bearer ${token}` } });

function signed(header: object, body: object, by: (text: string) => Buffer): string {
  const text = `${encode(header)}.${encode(body)}`;
  return `${text}.${by(text).toString('base64url')}`;
}

test('the genuine one is accepted, and told of by its account', async () => {
  expect(await withBearer(genuine)).toMatchObject({ username: 'system:serviceaccount:default:builder' });
});

describe('is refused', () => {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const by =
    (key: typeof own.privateKey, hash = 'sha256') =>
    (text: string) =>
      sign(hash, Buffer.from(text), key);
  const nothing = () => Buffer.alloc(0);
  const keyed = (secret: string) => (text: string) => createHmac('sha256', secret).update(text).digest();
  const admin = () => ({ ...claims(), sub: 'system:serviceaccount:kube-system:admin' });

  const forged: readonly (readonly [what: string, token: () => string])[] = [
    ['no algorithm', () => signed({ ...head(), alg: 'none' }, claims(), nothing)],
    ['no algorithm in other letters', () => signed({ ...head(), alg: 'nOnE' }, claims(), nothing)],
    ['an empty algorithm', () => signed({ ...head(), alg: '' }, claims(), nothing)],
    ['an algorithm that is no text', () => signed({ ...head(), alg: ['RS256'] }, claims(), nothing)],
    ['a name of every object as algorithm', () => signed({ ...head(), alg: '__proto__' }, claims(), nothing)],
    [
      'the public key taken for a shared secret',
      () => signed({ ...head(), alg: 'HS256' }, claims(), keyed(attacked.verifyingKey)),
    ],
    [
      'the public key’s trimmed text taken for a shared secret',
      () => signed({ ...head(), alg: 'HS256' }, claims(), keyed(attacked.verifyingKey.trim())),
    ],
    ['a key of somebody else under a known id', () => signed(head(), claims(), by(own.privateKey))],
    ['a key of somebody else under no id', () => signed({ alg: 'RS256' }, claims(), by(own.privateKey))],
    [
      'a key that the header brings along',
      () =>
        signed(
          { ...head(), kid: undefined, jwk: own.publicKey.export({ format: 'jwk' }) },
          claims(),
          by(own.privateKey),
        ),
    ],
    [
      'a key at an address that the header names',
      () => signed({ ...head(), jku: 'https://127.0.0.1:1/keys' }, claims(), by(own.privateKey)),
    ],
    ['a file as key id', () => signed({ alg: 'RS256', kid: '../../../../dev/null' }, claims(), nothing)],
    ['a query as key id', () => signed({ alg: 'RS256', kid: "' OR 1=1 --" }, claims(), nothing)],
    ['a name of every object as key id', () => signed({ alg: 'RS256', kid: '__proto__' }, claims(), nothing)],
    [
      'an elliptic signature of zeros',
      () => signed({ ...head(), alg: 'ES256' }, claims(), () => Buffer.alloc(64)),
    ],
    [
      'an elliptic key where an RSA one is meant',
      () => signed({ ...head(), alg: 'ES256' }, claims(), by(elliptic.privateKey)),
    ],
    [
      'extensions that nobody understands',
      () => `${encode({ ...head(), crit: ['exp'] })}.${genuine.split('.').slice(1).join('.')}`,
    ],
    [
      'other claims under the same signature',
      () => `${encode(head())}.${encode(admin())}.${genuine.split('.')[2]}`,
    ],
    ['no signature', () => `${genuine.split('.').slice(0, 2).join('.')}.`],
    ['two parts', () => genuine.split('.').slice(0, 2).join('.')],
    ['four parts', () => `${genuine}.x`],
    ['thousands of dots', () => '.'.repeat(60_000)],
    ['a signature with padding', () => `${genuine}==`],
    [
      'claims nested deep',
      () => `${encode(head())}.${encode(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)}.x`,
    ],
    ['an issuer among others', () => signed(head(), { ...claims(), iss: [issuer] }, by(own.privateKey))],
  ];

  test.each(forged)('%s', async (_what, token) => {
    expect(await withBearer(token())).toBeUndefined();
  });
});

describe('signed with the right key, is refused', () => {
  const byServer = (body: object) =>
    signed(head(), body, (text) => sign('sha256', Buffer.from(text), attacked.signingKey));
  const now = Math.floor(Date.now() / 1000);

  test.each<[string, () => object]>([
    ['when it is over', () => ({ ...claims(), exp: now - 120 })],
    ['before it begins', () => ({ ...claims(), nbf: now + 120 })],
    ['from the future', () => ({ ...claims(), iat: now + 120 })],
    ['for somebody else', () => ({ ...claims(), aud: ['vault'] })],
    [
      'of an account that is another by now',
      () => ({
        ...claims(),
        'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'builder', uid: 'other' } },
      }),
    ],
    [
      'of an account that isn’t there',
      () => ({
        ...claims(),
        'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'gone', uid: 'x' } },
      }),
    ],
    [
      'of the old kind without its Secret',
      () => ({
        iss: 'kubernetes/serviceaccount',
        sub: 'system:serviceaccount:default:builder',
        'kubernetes.io/serviceaccount/namespace': 'default',
        'kubernetes.io/serviceaccount/secret.name': 'none',
        'kubernetes.io/serviceaccount/service-account.name': 'builder',
        'kubernetes.io/serviceaccount/service-account.uid': 'x',
      }),
    ],
  ])('%s', async (_when, body) => {
    expect(await withBearer(byServer(body()))).toBeUndefined();
  });
});

test('a token in a WebSocket’s protocols is looked at like any other', async () => {
  const protocols = (token: string) => ({
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-protocol': `v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.${encode(token)}`,
  });
  const path = '/api/v1/namespaces/default/configmaps';

  const bad = await attacked.send({ path, headers: protocols('no-such-token') });

  expect(bad.status).toBe(401);
});
