import { duplexPair } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf } from '../bytes-of.ts';
import { WebSocketChannels } from './channels.ts';
import { acceptHeaders, chooseProtocol } from './handshake.ts';
import { WebSocketConnection } from './websocket.ts';

async function joined(protocol: string, count = 3) {
  const [near, far] = duplexPair();
  const client = new WebSocketChannels({ socket: near, side: 'client', protocol, count });
  const server = new WebSocketChannels({ socket: far, side: 'server', protocol, count });
  return { client, server, near, far };
}

async function textOf(stream: Parameters<typeof bytesOf>[0]): Promise<string> {
  let text = '';
  for await (const chunk of bytesOf(stream)) text += String(chunk);
  return text;
}

test.each(['v4.channel.k8s.io', 'base64.channel.k8s.io', 'v5.channel.k8s.io'])(
  '%s keeps channels apart, in both directions',
  async (protocol) => {
    const { client, server } = await joined(protocol);
    const heard = Promise.all(server.channels.map(textOf));
    const answered = Promise.all(client.channels.map(textOf));
    client.channels[0]!.write('zero');
    client.channels[2]!.write('two'.repeat(50_000));
    server.channels[1]!.write('one');
    await new Promise((resolve) => setImmediate(resolve));
    client.webSocket.close();

    expect(await heard).toEqual(['zero', '', 'two'.repeat(50_000)]);
    expect(await answered).toEqual(['', 'one', '']);
  },
);

test('only version 5 ends a channel while the others go on', async () => {
  const { client, server } = await joined('v5.channel.k8s.io');
  client.channels[0]!.end('last');

  expect(await textOf(server.channels[0]!)).toBe('last');
  expect(server.channels[1]!.readableEnded).toBe(false);
});

test('nonsense ends the connection, or is passed over; nothing else happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 }), async (chunks) => {
      const { near, server } = await joined('v5.channel.k8s.io');
      for (const chunk of chunks) near.write(chunk);
      near.end();
      await server.webSocket.closed;
      expect(server.channels.every(({ errored }) => errored === null)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('a message larger than the bound ends the connection before it is gathered', async () => {
  const [near, far] = duplexPair();
  const server = new WebSocketConnection({ socket: far, side: 'server' });
  // Binary, masked, a length of 2^40 bytes.
  near.write(Buffer.from([0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4]));

  await server.closed;
});

test('the accept key is that of the example in RFC 6455', () => {
  const headers = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };

  expect(acceptHeaders(headers, 'a')).toMatchObject({
    'sec-websocket-accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
    'sec-websocket-protocol': 'a',
  });
  expect(acceptHeaders({ ...headers, 'sec-websocket-version': '8' }, 'a')).toBeUndefined();
});

test('the first protocol of the client that is served is spoken', () => {
  expect(chooseProtocol({ 'sec-websocket-protocol': 'x, b, a' }, ['a', 'b'])).toBe('b');
  expect(chooseProtocol({}, ['', 'a'])).toBe('');
  expect(chooseProtocol({ 'sec-websocket-protocol': 'x' }, ['', 'a'])).toBeUndefined();
});
