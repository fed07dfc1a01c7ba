import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpTransport } from './http-transport.ts';

const seen: string[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => (body += text));
  request.on('end', () => {
    seen.push(`${request.method} ${request.url} ${body}`);
    response.end('{}');
  });
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

test('a body arrives whole with every method, and the next request of the connection after it', async () => {
  const { port } = server.address() as AddressInfo;
  const transport = new HttpTransport({ server: `http://127.0.0.1:${port}` });
  const send = async (method: string, text?: string) => {
    const body = text === undefined ? {} : { body: new TextEncoder().encode(text) };
    const answer = await transport.send({ method, path: '/a', headers: {}, ...body });
    await answer.bytes();
    return answer.status;
  };
  expect(await send('DELETE', '{"gracePeriodSeconds":0}')).toBe(200);
  expect(await send('PATCH', '[]')).toBe(200);
  expect(await send('GET')).toBe(200);
  await transport.close();
  expect(seen).toEqual(['DELETE /a {"gracePeriodSeconds":0}', 'PATCH /a []', 'GET /a ']);
});
