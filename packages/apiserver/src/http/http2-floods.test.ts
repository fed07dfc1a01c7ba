import { connect } from 'node:http2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSigned } from '../testing/self-signed.ts';
import {
  endHeaders,
  endStream,
  fourBytes,
  frame,
  frameTypes,
  getHeaders,
  literal,
  rawHttp2,
  type RawHttp2,
} from '../testing/raw-http2.ts';
import { textResponse, type ApiResponse } from './api-response.ts';
import { serveSecurely, type SecureServer } from './secure-serving.ts';
import { concurrentStreamsDefault } from './transport-limits.ts';

let server: SecureServer;
let served = 0;
const clients: RawHttp2[] = [];

beforeAll(async () => {
  const pair = await selfSigned();
  const forever: ApiResponse = { status: 200, headers: {}, body: { kind: 'stream', open: () => undefined } };
  server = await serveSecurely({
    host: '127.0.0.1',
    port: 0,
    ...pair,
    serve({ path, headers }) {
      served++;
      return path === '/forever' ? forever : textResponse(200, String(Object.keys(headers).length));
    },
  });
});

afterAll(async () => {
  for (const { socket } of clients) socket.destroy();
  await server.close(0);
});

async function client(options = {}): Promise<RawHttp2> {
  const opened = await rawHttp2(server.address.port, options);
  clients.push(opened);
  return opened;
}

/** Whether another client of the server gets a response. */
async function isServing(): Promise<boolean> {
  const session = connect(`https://127.0.0.1:${server.address.port}`, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  const stream = session.request({ ':path': '/' });
  const status = await new Promise((resolve, reject) => {
    stream.on('response', (head) => resolve(head[':status']));
    stream.on('error', reject);
  });
  session.destroy();
  return status === 200;
}

/** Sends the same bytes until the server closes the connection. */
async function floodUntilClosed({ socket, closed }: RawHttp2, bytes: (turn: number) => Uint8Array) {
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  for (let turn = 0; turn < 2_000 && !isClosed; turn++) {
    if (!socket.write(bytes(turn))) {
      await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
    }
    if (turn % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
}

const headers = (stream: number, path: string, flags = endHeaders | endStream) =>
  frame(frameTypes.headers, flags, stream, getHeaders(path, 'x'));

const times = (count: number, bytes: Uint8Array) => Buffer.concat(Array.from({ length: count }, () => bytes));

test('replies to settings and pings do not accumulate for a client that reads none of them', async () => {
  for (const one of [frame(frameTypes.settings, 0, 0), frame(frameTypes.ping, 0, 0, new Uint8Array(8))]) {
    const greedy = await client({ reads: false });
    const many = times(1_000, one);
    await floodUntilClosed(greedy, () => many);
  }

  expect(await isServing()).toBe(true);
});

test('endless headers are not collected', async () => {
  const endless = await client();
  endless.send(headers(1, '/', endStream));
  const piece = frame(frameTypes.continuation, 0, 1, literal('x-a', 'y'.repeat(100)));
  await floodUntilClosed(endless, () => piece);

  expect(await isServing()).toBe(true);
});

test('a connection that opens streams only to reset them is closed, however fast', async () => {
  const rapid = await client();
  const before = served;
  let stream = 1;
  await floodUntilClosed(rapid, () => {
    const pairs: Uint8Array[] = [];
    for (let at = 0; at < 50; at++, stream += 2) {
      pairs.push(headers(stream, '/forever'), frame(frameTypes.reset, 0, stream, fourBytes(8)));
    }
    return Buffer.concat(pairs);
  });

  expect(served - before).toBeLessThan(5_000);
  expect(await isServing()).toBe(true);
});

test('a header repeated by its index does not grow memory', async () => {
  const bomb = await client();
  const reported = Buffer.concat([
    Buffer.from([0x40, 1]),
    Buffer.from('x'),
    Buffer.from([0x7f, 0x81, 0x1e]),
    Buffer.alloc(4_000, 'y'),
  ]);
  const block = Buffer.concat([getHeaders('/', 'x'), reported, Buffer.alloc(10_000, 0xbe)]);
  const before = served;
  bomb.send(frame(frameTypes.headers, endHeaders | endStream, 1, block));
  bomb.send(frame(frameTypes.ping, 0, 0, new Uint8Array(8)));
  await expect
    .poll(() => bomb.frames.some(({ type }) => type === frameTypes.reset || type === frameTypes.goAway))
    .toBe(true);

  expect(served).toBe(before);
  expect(await isServing()).toBe(true);
});

test('streams beyond the limit are refused, and the others continue', async () => {
  const many = await client();
  for (let at = 0; at < concurrentStreamsDefault + 20; at++) many.send(headers(at * 2 + 1, '/forever'));
  const refused = () => many.frames.filter(({ type }) => type === frameTypes.reset).length;
  const answered = () => many.frames.filter(({ type }) => type === frameTypes.headers).length;
  await expect.poll(() => answered() + refused()).toBeGreaterThanOrEqual(concurrentStreamsDefault);

  expect(answered()).toBe(concurrentStreamsDefault);
  expect(await isServing()).toBe(true);
});

test('a window beyond its maximum ends the connection', async () => {
  const wide = await client();
  wide.send(frame(frameTypes.windowUpdate, 0, 0, fourBytes(0x7f_ff_ff_ff)));
  await wide.closed;

  expect(wide.frames.some(({ type }) => type === frameTypes.goAway)).toBe(true);
});

test('empty frames keep only their own request waiting', async () => {
  const empty = await client();
  empty.send(headers(1, '/forever', endHeaders));
  empty.send(times(20_000, frame(frameTypes.data, 0, 1)));
  empty.send(times(20_000, frame(frameTypes.priority, 0, 3, new Uint8Array(5))));

  expect(await isServing()).toBe(true);
});

test('hundreds of headers arrive, all of them', async () => {
  const session = connect(`https://127.0.0.1:${server.address.port}`, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  const extra = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`impersonate-extra-${at}`, 'v']));
  const stream = session.request({ ':path': '/', ...extra });
  const body = await new Promise<string>((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => resolve(chunk.toString()));
    stream.on('error', reject);
  });
  session.destroy();

  expect(Number(body)).toBeGreaterThanOrEqual(500);
});
