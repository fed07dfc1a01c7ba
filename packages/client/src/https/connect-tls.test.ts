import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, createServer, get, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { afterEach, expect, test } from 'vitest';
import { judging } from './connect-tls.ts';
import { HttpTransport } from './http-transport.ts';
import { goFailureText } from './go-failure-text.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
type Keys = Awaited<ReturnType<typeof newKeys>>;

const hour = 3_600_000;
const now = Date.now();

async function certificate(
  names: { readonly subject: string; readonly issuer: string },
  keys: Keys,
  signer: Keys,
  extensions: x509.Extension[],
  notAfter = now + hour,
): Promise<string> {
  x509.cryptoProvider.set(crypto);
  const made = await x509.X509CertificateGenerator.create({
    ...names,
    serialNumber: '01',
    notBefore: new Date(now - 2 * hour),
    notAfter: new Date(notAfter),
    publicKey: keys.publicKey,
    signingKey: signer.privateKey,
    signingAlgorithm: algorithm,
    extensions,
  });
  return made.toString('pem');
}

interface Settings {
  readonly address?: string;
  readonly notAfter?: number;
  readonly usage?: string;
}

/** An authority and a server certificate that it has signed, both with the same name. */
async function namesakes(name: string, settings: Settings = {}) {
  const [authorityKeys, keys] = await Promise.all([newKeys(), newKeys()]);
  const names = { subject: name, issuer: name };
  const { address = '127.0.0.1', usage, notAfter } = settings;
  const alternative = new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: address }]);
  const extensions = [alternative, ...(usage ? [new x509.ExtendedKeyUsageExtension([usage])] : [])];
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    authority: await certificate(names, authorityKeys, authorityKeys, [
      new x509.BasicConstraintsExtension(true),
    ]),
    cert: await certificate(names, keys, authorityKeys, extensions, notAfter),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}

let server: Server | undefined;
afterEach(() => server?.close());

async function statusOf(
  pair: ServerOptions,
  certificateAuthority: string,
  protocol: 'http/1.1' | undefined,
): Promise<number | string> {
  server = createServer(pair, (_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const transport = new HttpTransport({ server: url, certificateAuthority, ...(protocol && { protocol }) });
  try {
    return (await transport.send({ method: 'GET', path: '/', headers: {} })).status;
  } catch (failure) {
    return goFailureText(failure, '127.0.0.1', port);
  } finally {
    await transport.close();
  }
}

const refused = 'tls: failed to verify certificate: x509: ';

for (const protocol of [undefined, 'http/1.1'] as const) {
  for (const name of ['CN=one name', '']) {
    test(`an authority may bear its server's name ("${name}", ${protocol ?? 'any protocol'})`, async () => {
      const pair = await namesakes(name);
      expect(await statusOf(pair, pair.authority, protocol)).toBe(200);
    });
  }

  test(`a namesake of the authority that another one signed is refused (${protocol ?? 'any protocol'})`, async () => {
    const [pair, other] = await Promise.all([namesakes('CN=one name'), namesakes('CN=one name')]);
    expect(await statusOf(pair, other.authority, protocol)).toBe(
      `${refused}certificate signed by unknown authority`,
    );
  });

  test(`whom a namesake signed must be valid, for servers, and of the right name (${protocol ?? 'any protocol'})`, async () => {
    const expired = await namesakes('CN=one name', { notAfter: now - hour });
    expect(await statusOf(expired, expired.authority, protocol)).toContain('x509: certificate has expired');
    const client = await namesakes('CN=one name', { usage: '1.3.6.1.5.5.7.3.2' });
    expect(await statusOf(client, client.authority, protocol)).toBe(
      `${refused}certificate specifies an incompatible key usage`,
    );
    const elsewhere = await namesakes('CN=one name', { address: '127.0.0.2' });
    expect(await statusOf(elsewhere, elsewhere.authority, protocol)).toBe(
      `${refused}certificate is valid for 127.0.0.2, not 127.0.0.1`,
    );
  });
}

test('sessions are not resumed: they would bring no certificate to judge', async () => {
  const pair = await namesakes('CN=one name');
  server = createServer(pair, (request, response) =>
    response
      .writeHead(200, { connection: 'close' })
      .end(String((request.socket as TLSSocket).isSessionReused())),
  );
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = judging(new Agent({ keepAlive: true }));
  const answers: string[] = [];
  for (let count = 0; count < 3; count++) {
    const asked = get({ host: '127.0.0.1', port, agent, ca: pair.authority });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answers.push(await text(answer));
    if (!asked.closed) await once(asked, 'close');
  }
  expect(answers).toEqual(['false', 'false', 'false']);
});
