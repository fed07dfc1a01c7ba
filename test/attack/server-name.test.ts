/** A server that has a certificate, but not for the name by which the client wants it. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { selfSigned } from '@coxswain/apiserver/testing/self-signed.ts';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: Server;
let authority: string;

beforeAll(async () => {
  const pair = await selfSigned('localhost', ['127.0.0.1']);
  authority = pair.cert;
  server = createServer(pair, (_request, response) => void response.end('{}'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

async function answerFor(serverName: string): Promise<number | string> {
  const { port } = server.address() as AddressInfo;
  const transport = new HttpTransport({
    server: `https://127.0.0.1:${port}`,
    certificateAuthority: () => authority,
    serverName,
  });
  try {
    const answer = await transport.send({ method: 'GET', path: '/', headers: {} });
    await answer.bytes();
    return answer.status;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code ?? messageOf(failure);
  } finally {
    await transport.close();
  }
}

test.each(['localhost', '127.0.0.1'])('is taken for %s', async (name) => {
  expect(await answerFor(name)).toBe(200);
});

test.each(['example.com', '127.0.0.2', '::1'])('is not taken for %s', async (name) => {
  expect(await answerFor(name)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
});
