/** Tokens that are validated against the server's own Secrets. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { expect, test } from 'vitest';
import { assembleKubeApiServer } from '../assemble.ts';
import { verifiersFromPem } from '../service-accounts/pem-keys.ts';
import { fixedKeys } from '../service-accounts/token-keys.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();

async function server() {
  const clock = new ManualClock();
  const assembled = await assembleKubeApiServer({
    storage: new MemoryStorage({ clock }),
    clock,
    random: seededRandom(1),
    authorizationModes: ['RBAC'],
    disableAdmissionPlugins: ['ServiceAccount'],
    authentication: { hasBootstrapTokens: true },
    serviceAccounts: { issuers: ['https://self'], keys: fixedKeys(verifiersFromPem(pem)) },
  });
  await assembled.start();
  const admin = assembled.inProcess({ name: 'admin', groups: ['system:masters'] });
  const send = async (method: string, path: string, body?: object, type = 'application/json') => {
    const answer = await admin.send({
      method,
      path,
      headers: { 'content-type': type },
      ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    return JSON.parse(new TextDecoder().decode(await answer.bytes())) as {
      metadata: { uid: string; labels?: Record<string, string> };
      status: unknown;
    };
  };
  const review = async (token: string) =>
    (
      await send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token },
      })
    ).status;
  return { clock, send, review, stop: () => assembled.stop() };
}

test('a bootstrap token is one as long as its Secret says so', async () => {
  const { clock, send, review, stop } = await server();
  const secrets = '/api/v1/namespaces/kube-system/secrets';
  const data = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': 'system:bootstrappers:workers',
    expiration: new Date(clock.now() + 3_600_000).toISOString(),
  };
  await send('POST', secrets, {
    metadata: { name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.kubernetes.io/token',
    stringData: data,
  });

  expect(await review('abcdef.0123456789abcdef')).toMatchObject({
    user: {
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', 'system:bootstrappers:workers', 'system:authenticated'],
    },
  });
  expect(await review('abcdef.0123456789abcdeg')).toMatchObject({ error: 'invalid bearer token' });
  await clock.advance(3_600_001);
  expect(await review('abcdef.0123456789abcdef')).toMatchObject({ error: 'invalid bearer token' });
  await stop();
});

test('a token of a Secret is valid while the Secret holds it, and its use is noted there', async () => {
  const { clock, send, review, stop } = await server();
  const { metadata } = await send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'old' },
  });
  const prefix = 'kubernetes.io/serviceaccount/';
  const token = signed({
    iss: 'kubernetes/serviceaccount',
    sub: 'system:serviceaccount:default:old',
    [`${prefix}namespace`]: 'default',
    [`${prefix}secret.name`]: 'old-token',
    [`${prefix}service-account.name`]: 'old',
    [`${prefix}service-account.uid`]: metadata.uid,
  });
  const path = '/api/v1/namespaces/default/secrets';
  await send('POST', path, {
    metadata: { name: 'old-token', annotations: { 'kubernetes.io/service-account.name': 'old' } },
    type: 'kubernetes.io/service-account-token',
    stringData: { token },
  });

  expect(await review(token)).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:default:old' },
  });
  const used = await send('GET', `${path}/old-token`);
  expect(used.metadata.labels).toEqual({
    'kubernetes.io/legacy-token-last-used': new Date(clock.now()).toISOString().slice(0, 10),
  });

  const patch = { metadata: { labels: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' } } };
  await send('PATCH', `${path}/old-token`, patch, 'application/merge-patch+json');
  // The result of a token is cached for ten seconds.
  expect(await review(token)).toMatchObject({ authenticated: true });
  await clock.advance(10_001);
  expect(await review(token)).toMatchObject({
    error: expect.stringContaining('has been marked invalid. Use tokens from the TokenRequest API') as string,
  });

  await send('DELETE', `${path}/old-token`);
  expect(await review(token)).toMatchObject({ error: '[invalid bearer token, Token has been invalidated]' });
  await stop();
});

function signed(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'RS256' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), keys.privateKey).toString('base64url')}`;
}
