import { createServer } from 'node:http';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { HttpTransport } from './http-transport.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  return (server.address() as AddressInfo).port;
}

const apiServer = () =>
  listening(createServer((request, response) => response.end(`you asked ${request.url}`)));

/** A proxy that records requests and connects all of them to one target. */
interface Proxy {
  readonly port: number;
  readonly reported: string[];
}

/** With a password, other clients are refused; `reply` other than 0 refuses the connection. */
async function socksProxy(target: number, { password = '', reply = 0 } = {}): Promise<Proxy> {
  const reported: string[] = [];
  const answer = async (socket: Socket) => {
    const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const next = async () => (await chunks.next()).value ?? Buffer.alloc(0);
    const methods = await next();
    const wanted = password === '' ? 0 : 2;
    socket.write(Uint8Array.from([5, methods.subarray(2).includes(wanted) ? wanted : 0xff]));
    if (password !== '') {
      const given = await next();
      const nameEnd = 2 + given[1]!;
      const text = `${given.subarray(2, nameEnd)}:${given.subarray(nameEnd + 1)}`;
      reported.push(text);
      socket.write(Uint8Array.from([1, text === password ? 0 : 1]));
    }
    const asked = await next();
    if (asked.length === 0) return;
    reported.push(`${asked.subarray(5, -2)}:${asked.readUInt16BE(asked.length - 2)}`);
    socket.write(Uint8Array.from([5, reply, 0, 1, 127, 0, 0, 1, 0, 80]));
    if (reply !== 0) return;
    const way = connect(target, '127.0.0.1');
    way.pipe(socket);
    for (let bytes = await next(); bytes.length > 0; bytes = await next()) way.write(bytes);
    way.destroy();
  };
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    void answer(socket);
  });
  return { port: await listening(server), reported };
}

async function get(proxyUrl: string): Promise<string> {
  const transport = new HttpTransport({ server: 'http://cluster.example:8080', proxyUrl });
  try {
    const answer = await transport.send({ method: 'GET', path: '/version', headers: {} });
    return new TextDecoder().decode(await answer.bytes());
  } finally {
    await transport.close();
  }
}

test('a request goes through the proxy, which looks the name up', async () => {
  const { port, reported } = await socksProxy(await apiServer());
  expect(await get(`socks5://127.0.0.1:${port}`)).toBe('you asked /version');
  expect(reported).toEqual(['cluster.example:8080']);
});

test('a proxy that wants a name and a password gets them', async () => {
  const { port, reported } = await socksProxy(await apiServer(), { password: 'jo:a b' });
  expect(await get(`socks5://jo:a%20b@127.0.0.1:${port}`)).toBe('you asked /version');
  expect(reported).toEqual(['jo:a b', 'cluster.example:8080']);
});

test.each([
  ['a wrong password', { password: 'jo:right' }, 'jo:wrong@', 'username/password authentication failed'],
  ['no password', { password: 'jo:right' }, '', 'no acceptable authentication methods'],
  ['a target that is not there', { reply: 5 }, '', 'connection refused'],
])('%s is told', async (_name, options, user, message) => {
  const { port } = await socksProxy(await apiServer(), options);
  await expect(get(`socks5://${user}127.0.0.1:${port}`)).rejects.toThrow(message);
});
