import { noteServed } from '@coxswain/apimachinery/slices.ts';
import { systemClock } from '@coxswain/apimachinery';
import { connect as connectPlainly } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { textResponse } from '../api-response.ts';
import { serveSecurely, type SecureServer, type SecureServingOptions } from '../secure-serving.ts';
import { selfSigned } from '../../testing/self-signed.ts';

const servers: SecureServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});

async function serving(options: Partial<SecureServingOptions> = {}) {
  const pair = await selfSigned();
  const serve = () => textResponse(200, 'ok');
  const server = await serveSecurely({ host: '127.0.0.1', port: 0, ...pair, serve, ...options });
  servers.push(server);
  return server;
}

interface Handshake {
  readonly protocol?: string | null;
  readonly cipher?: string;
  readonly alpn?: string | false | null;
  readonly subject?: string;
  readonly failure?: string;
}

/** The parameters that a client with these `options` negotiates with the server, or its error. */
const handshake = ({ address }: SecureServer, options: ConnectionOptions = {}): Promise<Handshake> =>
  new Promise((resolve) => {
    const all = { host: '127.0.0.1', port: address.port, rejectUnauthorized: false, ...options };
    const socket = connect(all, () => {
      resolve({
        protocol: socket.getProtocol(),
        cipher: socket.getCipher().standardName,
        alpn: socket.alpnProtocol,
        subject: String(socket.getPeerCertificate().subject.CN),
      });
      socket.destroy();
    });
    socket.on('error', (failure: NodeJS.ErrnoException) => resolve({ failure: failure.code ?? '' }));
  });

const lowered = (ciphers: string) => `${ciphers}:@SECLEVEL=0`;

test('TLS 1.3 and 1.2 are accepted, older versions refused', async () => {
  const server = await serving();
  const only = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    handshake(server, { minVersion: version, maxVersion: version, ciphers: lowered('ALL') });

  expect((await only('TLSv1.3')).protocol).toBe('TLSv1.3');
  expect((await only('TLSv1.2')).protocol).toBe('TLSv1.2');
  expect((await only('TLSv1.1')).failure).toMatch(/PROTOCOL_VERSION/);
  expect((await only('TLSv1')).failure).toMatch(/PROTOCOL_VERSION/);
});

test('handshakes take turns while several clients are served', async () => {
  const clock = { ...systemClock };
  const server = await serving({ clock });
  const { port } = server.address;
  const silent = connectPlainly(port, '127.0.0.1');
  const hasty = connectPlainly(port, '127.0.0.1', () => hasty.resetAndDestroy());
  for (const owner of ['one', 'another']) noteServed(clock, owner, clock.monotonic());
  const all = await Promise.all(Array.from({ length: 8 }, () => handshake(server)));
  silent.destroy();

  expect(all.map(({ protocol }) => protocol)).toEqual(Array(8).fill('TLSv1.3'));
});

test.each([
  ['CBC', 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES256-SHA'],
  ['keys that are sent instead of agreed on', 'AES128-GCM-SHA256:AES256-SHA'],
  ['nobody proven', 'aNULL'],
  ['nothing encrypted', 'eNULL'],
])('a client that offers only old suites (%s) is refused', async (_name, ciphers) => {
  const server = await serving();

  const refused = await handshake(server, { maxVersion: 'TLSv1.2', ciphers: lowered(ciphers) });

  expect(refused.failure).toMatch(/HANDSHAKE_FAILURE|NO_CIPHERS/);
});

test('the server uses the configured suites and versions', async () => {
  const server = await serving({ cipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] });
  const newest = await serving({ minVersion: 'VersionTLS13' });

  const agreed = await handshake(server, { maxVersion: 'TLSv1.2' });
  expect(agreed.cipher).toBe('TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384');
  expect((await handshake(newest, { maxVersion: 'TLSv1.2' })).failure).toMatch(/PROTOCOL_VERSION/);
});

test('only the configured key exchanges are used', async () => {
  const server = await serving({ curves: [24] });

  expect((await handshake(server, { ecdhCurve: 'P-384' })).protocol).toBe('TLSv1.3');
  expect((await handshake(server, { ecdhCurve: 'X25519' })).failure).toMatch(/HANDSHAKE_FAILURE/);
});

test("a client's post-quantum key exchange is used", async () => {
  const server = await serving();

  expect((await handshake(server, { ecdhCurve: 'X25519MLKEM768' })).protocol).toBe('TLSv1.3');
});

test('without HTTP/2 clients negotiate HTTP/1.1', async () => {
  const ALPNProtocols = ['h2', 'http/1.1'];

  expect((await handshake(await serving(), { ALPNProtocols })).alpn).toBe('h2');
  expect((await handshake(await serving({ servesHttp2: false }), { ALPNProtocols })).alpn).toBe('http/1.1');
});

test('a client that sends a server name gets its certificate; explicit names take precedence', async () => {
  const certificate = async (commonName: string, names: string[] = []) => {
    const { key, cert } = await selfSigned(commonName);
    return { key, cert, names };
  };
  const server = await serving({
    named: [
      await certificate('own.example.com'),
      await certificate('second', ['own.example.com', '*.example.org']),
      await certificate('third', ['a.example.org']),
    ],
  });
  const shown = async (servername: string) => (await handshake(server, { servername })).subject;

  expect(await shown('OWN.example.com')).toBe('second');
  expect(await shown('a.example.org')).toBe('third');
  expect(await shown('b.example.org')).toBe('second');
  expect(await shown('a.b.example.org')).toBe('localhost');
  expect(await shown('elsewhere.example.net')).toBe('localhost');
});

test('a client without a server name gets the certificate of the address', async () => {
  const ofAddress = async (commonName: string, address: string) => {
    const { key, cert } = await selfSigned(commonName);
    return { key, cert, names: [address] };
  };
  const server = await serving({
    host: '0.0.0.0',
    named: [await ofAddress('second', '127.0.0.2'), await ofAddress('third', '127.0.0.3')],
  });
  const shown = async (host: string, servername = '') =>
    (await handshake(server, { host, servername })).subject;

  expect(await shown('127.0.0.2')).toBe('second');
  expect(await shown('127.0.0.3')).toBe('third');
  expect(await shown('127.0.0.3', 'elsewhere.example.net')).toBe('localhost');
  expect(await shown('127.0.0.1')).toBe('localhost');
  server.exchangeTls(await selfSigned('renewed'));
  expect(await shown('127.0.0.2')).toBe('renewed');
});

test('a replaced certificate is used from the next connection on', async () => {
  const server = await serving();
  server.exchangeTls(await selfSigned('renewed'));

  expect((await handshake(server)).subject).toBe('renewed');
});

test('a certificate that does not fit its key changes nothing', async () => {
  const server = await serving();
  const { cert } = await selfSigned('renewed');
  const { key } = await selfSigned();

  expect(() => server.exchangeTls({ key, cert })).toThrow(/mismatch/);
  expect((await handshake(server)).subject).toBe('localhost');
});
