import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networkWebhookCaller } from './network-webhook-caller.ts';
import { answerBytesMax } from './read-answer.ts';
import { type WebhookCredentials, webhookEndpoint } from './webhook-endpoint.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

/** A server certificate signed by an authority, without the authority's own. */
async function signedPair(): Promise<{ cert: string; key: string }> {
  x509.cryptoProvider.set(crypto);
  const [authority, keys] = await Promise.all([newKeys(), newKeys()]);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=hook',
    issuer: 'CN=authority',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}

function seenIn({ headers, socket }: IncomingMessage): object {
  const { traceparent, authorization } = headers;
  const certificate = (socket as TLSSocket).getPeerX509Certificate()?.toString();
  return { traceparent, authorization, 'impersonate-group': headers['impersonate-group'], certificate };
}

let pair: { cert: string; key: string };
let server: ReturnType<typeof createServer>;
beforeAll(async () => {
  pair = await signedPair();
  server = createServer({ ...pair, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const compressed = compressedAnswers[request.url!.slice(1)];
    if (compressed === undefined) response.end(JSON.stringify(seenIn(request)));
    else response.setHeader('content-encoding', 'gzip').end(compressed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

const compressedAnswers: Readonly<Record<string, Uint8Array>> = {
  small: gzipSync('{"is":"small"}'),
  // 20 kB that become 20 MiB.
  bomb: gzipSync(new Uint8Array(20 * 1024 * 1024)),
  'cut-off': gzipSync('{"is":"cut off"}').subarray(0, -12),
  corrupt: Buffer.from('this is no gzip'),
};

async function answerTo(
  caBundle: string,
  traceParent?: string,
  credentials?: WebhookCredentials,
  path = '/',
) {
  const caller = networkWebhookCaller(() => Promise.reject(new Error('no services here')));
  const { port } = server.address() as AddressInfo;
  const clientConfig = { url: `https://127.0.0.1:${port}/`, caBundle: btoa(caBundle) };
  const endpoint = { ...webhookEndpoint(clientConfig), credentials };
  try {
    const signal = AbortSignal.timeout(10_000);
    return await caller.send({ endpoint, method: 'POST', path, body: '{}', signal, traceParent });
  } finally {
    caller.close();
  }
}

test('a bundle may hold the server’s own certificate instead of its authority’s, as envtest’s does', async () => {
  expect((await answerTo(pair.cert)).status).toBe(200);
});

test("a webhook's call carries the trace context", async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect((await answerTo(pair.cert, traceparent)).body).toBe(JSON.stringify({ traceparent }));
  expect((await answerTo(pair.cert)).body).toBe('{}');
});

test('a webhook gets the configured credentials', async () => {
  const credentials = {
    name: 'me',
    authorization: async () => 'Bearer me',
    certificate: async () => ({ certificate: pair.cert, key: pair.key }),
    headers: { 'impersonate-group': ['a', 'b'] },
  };

  expect(JSON.parse((await answerTo(pair.cert, undefined, credentials)).body)).toEqual({
    authorization: 'Bearer me',
    'impersonate-group': 'a, b',
    certificate: `${pair.cert}\n`,
  });
});

test('a server whose certificate is not in the bundle is not trusted', async () => {
  const other = await signedPair();
  await expect(answerTo(other.cert)).rejects.toThrow('x509: certificate signed by unknown authority');
});

test('a compressed answer is read up to the limit of its decompressed size', async () => {
  const read = (path: string) => answerTo(pair.cert, undefined, undefined, path);
  expect((await read('/small')).body).toBe('{"is":"small"}');
  await expect(read('/bomb')).rejects.toThrow(`the answer has more than ${answerBytesMax} bytes`);
  await expect(read('/cut-off')).rejects.toThrow('unexpected EOF');
  await expect(read('/corrupt')).rejects.toThrow('gzip: invalid header');
});
