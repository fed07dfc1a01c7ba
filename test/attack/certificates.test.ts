/** Certificates that were valid, will be, or never are; and authorities that change under open connections. */
import { writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AuthorityBundle } from '@coxswain/apiserver/authentication/x509/authorities.ts';
import { X509Certificate } from 'node:crypto';
import { attackedServer, whoIs, type AttackedServer } from './attacked-server.ts';
import { CertificateAuthority, type Identity } from './certificate-authority.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

const hourMs = 3_600_000;
const masters = 'CN=root,O=system:masters';

test('an expired one, one of tomorrow, one for servers, and those of unknown authorities are refused', async () => {
  const { users } = attacked;
  const stranger = await CertificateAuthority.create('users');
  const refused = await Promise.all([
    users.issue({ name: masters, notAfterMs: Date.now() - 1000 }),
    users.issue({ name: masters, notBeforeMs: Date.now() + hourMs }),
    users.issue({ name: masters, usage: 'server' }),
    stranger.issue({ name: masters }),
  ]);

  for (const identity of refused) expect(await whoIs(attacked, { identity })).toBeUndefined();
});

test('who is no authority vouches for nobody; one between does', async () => {
  const { users } = attacked;
  const user = await users.authority({ name: 'CN=jane' });
  const between = await users.authority({ name: 'CN=between', isAuthority: true });
  const withChain = async (authority: CertificateAuthority): Promise<Identity> => {
    const { cert, key } = await authority.issue({ name: masters });
    return { cert: `${cert}\n${authority.pem}`, key };
  };

  expect(await whoIs(attacked, { identity: await withChain(user) })).toBeUndefined();
  expect(await whoIs(attacked, { identity: await withChain(between) })).toMatchObject({ username: 'root' });
});

test('a connection that is open longer than its certificate holds is refused from then on', async () => {
  const { cert } = await attacked.users.issue({ name: 'CN=jane', notAfterMs: Date.now() + hourMs });
  const bundle = new AuthorityBundle(attacked.users.pem);
  const certificate = { der: new Uint8Array(new X509Certificate(cert).raw), intermediates: [] };

  expect(bundle.problemOf(certificate, Date.now())).toBeUndefined();
  expect(bundle.problemOf(certificate, Date.now() + 2 * hourMs)).toMatch(/^x509: certificate has expired/);
  expect(bundle.problemOf(certificate, Date.now() - 2 * hourMs)).toMatch(/is before/);
});

test('an authority that is taken back counts no more, on connections that are open too', async () => {
  const other = await CertificateAuthority.create('others');
  const { cert, key } = await attacked.users.issue({ name: masters });
  const session = connectHttp2(`https://127.0.0.1:${attacked.port}`, {
    cert,
    key,
    rejectUnauthorized: false,
  });
  const status = () =>
    new Promise<number>((resolve, reject) => {
      const stream = session.request({ ':path': '/api/v1/namespaces' });
      stream.on('response', (head) => resolve(Number(head[':status'])));
      stream.on('error', reject);
      stream.resume();
    });
  const before = await status();

  writeFileSync(path.join(attacked.directory, 'users.pem'), other.pem);
  const isRead = () => attacked.logged.some((line) => line.includes('its authorities hold from now on'));
  while (!isRead()) await new Promise((resolve) => setTimeout(resolve, 20));
  const after = await status();
  session.destroy();
  const published = async () => {
    const { text } = await attacked.send({
      path: '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
      as: 'admin',
    });
    return (JSON.parse(text) as { data: Readonly<Record<string, string>> }).data;
  };
  const lines = (pem = '') => pem.trim().split('\n');
  let data = await published();
  while (!data['client-ca-file']?.includes(other.pem.trim())) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    data = await published();
  }

  expect([before, after]).toEqual([200, 401]);
  // Other servers may still believe in the one before: as in the original, nobody takes it away from them.
  expect(lines(data['client-ca-file'])).toEqual([...lines(attacked.users.pem), ...lines(other.pem)]);
  expect(lines(data['requestheader-client-ca-file'])).toEqual(lines(attacked.proxies.pem));
  expect(data['requestheader-allowed-names']).toBe('["front-proxy"]');
  expect(await whoIs(attacked, { identity: await other.issue({ name: 'CN=new' }) })).toMatchObject({
    username: 'new',
  });
  writeFileSync(path.join(attacked.directory, 'users.pem'), attacked.users.pem);
});
