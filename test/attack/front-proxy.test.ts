/** Only a front proxy names users in headers, and it is one by its certificate alone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackedServer, whoIs, type AttackedServer } from './attacked-server.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

const root = { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters', 'X-Remote-Uid': '0' };

test('without a certificate the headers mean nothing', async () => {
  const nobody = await attacked.send({ path: '/api/v1/secrets', headers: root });
  const alice = await whoIs(attacked, { as: 'alice', headers: root });

  expect(nobody.status).toBe(403);
  expect(nobody.text).toContain('system:anonymous');
  expect(alice).toMatchObject({ username: 'alice', groups: ['dev', 'system:authenticated'] });
});

test('a user’s certificate is no proxy’s', async () => {
  const jane = await attacked.users.issue({ name: 'CN=jane' });
  const called = await attacked.users.issue({ name: 'CN=front-proxy' });

  expect(await whoIs(attacked, { identity: jane, headers: root })).toMatchObject({ username: 'jane' });
  expect(await whoIs(attacked, { identity: called, headers: root })).toMatchObject({
    username: 'front-proxy',
  });
});

test('a proxy of another name, an expired one, and one for servers are refused', async () => {
  const { proxies } = attacked;
  const others = await Promise.all([
    proxies.issue({ name: 'CN=other' }),
    proxies.issue({ name: 'CN=front-proxy', notAfterMs: Date.now() - 1000 }),
    proxies.issue({ name: 'CN=front-proxy', usage: 'server' }),
  ]);

  for (const identity of others) expect(await whoIs(attacked, { identity, headers: root })).toBeUndefined();
});

test('a mark of byte order belongs to the name that a proxy hands on', async () => {
  const identity = await attacked.proxies.issue({ name: 'CN=front-proxy' });
  const inBytes = (text: string) => Buffer.from(text).toString('latin1');
  const { text } = await attacked.send({
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    method: 'POST',
    identity,
    headers: {
      'X-Remote-User': inBytes('\ufeffadmin'),
      'X-Remote-Group': inBytes('\ufeffsystem:masters'),
    },
    // As bytes: a text would be sent with the headers, in its encoding.
    body: Buffer.from('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}'),
  });

  expect(JSON.parse(text)).toMatchObject({
    status: {
      userInfo: { username: '\ufeffadmin', groups: ['\ufeffsystem:masters', 'system:authenticated'] },
    },
  });
});

test('the proxy itself is no user, and names one in the headers that were agreed on', async () => {
  const identity = await attacked.proxies.issue({ name: 'CN=front-proxy' });
  const headers = {
    'X-Remote-User': ['jane', 'root'],
    'X-Remote-Group': ['dev', 'ops,system:masters'],
    'X-Remote-Extra-Acme.com%2fProject': 'one',
    'X-Forwarded-User': 'root',
  };

  expect(await whoIs(attacked, { identity })).toBeUndefined();
  expect(await whoIs(attacked, { identity, headers })).toMatchObject({
    username: 'jane',
    groups: ['dev', 'ops,system:masters', 'system:authenticated'],
    extra: { 'acme.com/project': ['one'] },
  });
});
