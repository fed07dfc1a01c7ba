import { expect, test } from 'vitest';
import { floodBounds, floodWindowMs } from './flood-guard.ts';
import { errorCodes, flags, frameTypes } from './frames/frame.ts';
import type { ServerStream } from './server-stream.ts';
import {
  blockOf,
  connected,
  getFields,
  numbers,
  postFields,
  whole,
  type Fields,
} from './testing/connected.ts';

const answer = (stream: ServerStream): void => stream.respond(200, {}, { isLast: true });
const ignore = (): void => undefined;
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const { data, headers, priority, resetStream, settings, ping, goAway, windowUpdate, continuation } =
  frameTypes;

test('an authority that is a URL is no reason to refuse a request', async () => {
  const seen: ServerStream[] = [];
  const client = connected({ onStream: (stream) => (seen.push(stream), answer(stream)) });
  client.ask(1, { ...getFields, ':authority': 'http://127.0.0.1:2379' });
  await client.until(({ type, streamId }) => type === headers && streamId === 1);
  expect(seen[0]!.head.headers[':authority']).toBe('http://127.0.0.1:2379');
});

test('headers that come twice are joined, cookies too, and of those that have one value the first counts', async () => {
  const seen: ServerStream[] = [];
  const client = connected({ onStream: (stream) => void seen.push(stream) });
  client.ask(1, { ...getFields, accept: ['a', 'b'], cookie: ['c=1', 'd=2'], 'user-agent': ['x', 'y'] });
  await client.settled();
  expect(seen[0]!.head.headers).toMatchObject({ accept: 'a, b', cookie: 'c=1; d=2', 'user-agent': 'x' });
  expect(seen[0]!.head.fields.filter(({ name }) => name === 'user-agent').map(({ value }) => value)).toEqual([
    'x',
    'y',
  ]);
});

test('data waits for the window of the client, and trailers for the data', async () => {
  const client = connected({
    onStream(stream) {
      stream.respond(200, {});
      stream.write(Buffer.alloc(100_000, 'x'));
      stream.end({ 'grpc-status': '0' });
    },
  });
  const dataBytes = () => client.of(data).reduce((sum, { payload }) => sum + payload.length, 0);
  client.ask(1);
  await client.until(() => dataBytes() === 65_535);
  expect(
    client.frames.filter(({ flags: bits, type }) => type !== settings && (bits & flags.endStream) !== 0),
  ).toEqual([]);

  client.send(windowUpdate, 0, 0, numbers(1_000_000));
  client.send(windowUpdate, 0, 1, numbers(1_000_000));
  await client.until(({ type, flags: bits }) => type === headers && (bits & flags.endStream) !== 0);
  expect(dataBytes()).toBe(100_000);
});

test('what was written in one turn leaves in one frame, its end with it', async () => {
  const client = connected({
    onStream(stream) {
      stream.respond(200, {});
      for (const text of ['a', 'b', 'c']) stream.write(Buffer.from(text));
      stream.end();
    },
  });
  client.ask(1);
  await client.settled();
  expect(client.of(data).map(({ payload, flags: bits }) => [payload.toString(), bits])).toEqual([
    ['abc', flags.endStream],
  ]);
});

test('a small answer does not wait for a large one before it', async () => {
  const client = connected({
    onStream(stream) {
      stream.respond(200, {});
      stream.write(Buffer.alloc(stream.id === 1 ? 60_000 : 1, 'x'));
      stream.end();
    },
  });
  client.ask(1);
  client.ask(3);
  await client.settled();
  expect(client.of(data).map(({ streamId }) => streamId)).toEqual([1, 3, 1, 1, 1]);
});

test('whoever wrote a block hears when it is nobody’s any more', async () => {
  const events: string[] = [];
  const client = connected({
    onStream(stream) {
      stream.respond(200, {});
      stream.write(Buffer.alloc(60_000), () => events.push('first'));
      stream.write(Buffer.alloc(60_000), () => events.push('second'));
      stream.onDrain(() => events.push('drained'));
    },
  });
  client.ask(1);
  await client.settled();
  expect(events).toEqual(['first']);
  client.send(windowUpdate, 0, 0, numbers(100_000));
  client.send(windowUpdate, 0, 1, numbers(100_000));
  await client.settled();
  expect(events.toSorted()).toEqual(['drained', 'first', 'second']);
});

test('a client may send on what the reader has given back, and no more', async () => {
  const streams: ServerStream[] = [];
  const client = connected({ streamWindowBytes: 65_535, onStream: (stream) => void streams.push(stream) });
  client.ask(1, postFields, flags.endHeaders);
  for (let sent = 0; sent < 4; sent++) client.send(data, 0, 1, Buffer.alloc(16_000));
  await client.settled();
  expect(client.of(windowUpdate, 1)).toEqual([]);

  streams[0]!.giveBack(40_000);
  await expect
    .poll(() => client.of(windowUpdate, 1).map(({ payload }) => payload.readUInt32BE()))
    .toEqual([40_000]);
  for (let sent = 0; sent < 3; sent++) client.send(data, 0, 1, Buffer.alloc(16_000));
  const reset = await client.until(({ type }) => type === resetStream);
  expect(reset.payload.readUInt32BE()).toBe(errorCodes.flowControl);
});

test('more streams than agreed on are refused, one by one', async () => {
  const client = connected({ streamsMax: 2, onStream: ignore });
  for (const id of [1, 3, 5]) client.ask(id, postFields, flags.endHeaders);
  const reset = await client.until(({ type }) => type === resetStream);
  expect([reset.streamId, reset.payload.readUInt32BE(0)]).toEqual([5, errorCodes.refusedStream]);
});

test('a stream that the client resets is told so, once', async () => {
  let closed = 0;
  const client = connected({ onStream: (stream) => stream.onClose(() => void closed++) });
  client.ask(1, postFields, flags.endHeaders);
  client.send(resetStream, 0, 1, numbers(8));
  await client.settled();
  client.connection.close();
  expect(closed).toBe(1);
});

test('a body that nobody wanted is refused when the answer has left', async () => {
  const client = connected({ onStream: answer });
  client.ask(1, postFields, flags.endHeaders);
  const reset = await client.until(({ type }) => type === resetStream);
  expect(reset.payload.readUInt32BE()).toBe(errorCodes.none);
  client.send(data, flags.endStream, 1, Buffer.from('late'));
  await client.settled();
  expect(client.frames.at(-1)).toBe(reset);
});

test('headers beyond the bound are answered with 431, and the connection has had its day', async () => {
  let served = 0;
  const client = connected({ headerListBytesMax: 10_000, onStream: () => void served++ });
  client.ask(1, { ...getFields, a: 'x'.repeat(12_000) });
  await client.until(({ type }) => type === data);
  expect(client.of(headers)[0]!.payload.toString('latin1')).toContain('431');
  expect(client.of(goAway).length).toBe(1);
  expect(served).toBe(0);
});

test('a header whose values together are too long to interpret is answered with 431', async () => {
  const client = connected({
    headerListBytesMax: 1_000_000,
    framePayloadBytesMax: 256 * 1024,
    onStream: answer,
  });
  const values = Array.from({ length: 20 }, () => 'x'.repeat(4_000));
  client.ask(1, { ...getFields, x: values });
  client.ask(3, { ...getFields, accept: values });
  await client.until(({ type, streamId }) => type === headers && streamId === 3);
  const heads = client.of(headers).map(({ payload }) => payload.toString('latin1'));
  expect(heads.map((head) => head.includes('431'))).toEqual([false, true]);
});

test('an answer’s headers that no frame has room for go on in the next', async () => {
  const client = connected({
    onStream: (stream) => stream.respond(200, { a: 'x'.repeat(40_000) }, { isLast: true }),
  });
  client.ask(1);
  await client.settled();
  expect(client.frames.slice(-3).map(({ type, flags: bits }) => [type, bits])).toEqual([
    [headers, flags.endStream],
    [continuation, 0],
    [continuation, flags.endHeaders],
  ]);
});

test('a connection that is to end lets what is under way, and what comes meanwhile, be answered', async () => {
  const streams: ServerStream[] = [];
  const client = connected({ onStream: (stream) => void streams.push(stream) });
  client.ask(1);
  await client.settled();
  client.connection.shutdown();
  await client.settled();
  expect(client.of(goAway).map(({ payload }) => payload.readUInt32BE())).toEqual([2 ** 31 - 1]);
  client.ask(3);
  const { payload } = await client.until(({ type }) => type === ping);
  client.send(ping, flags.ack, 0, payload);
  client.ask(5);
  await client.settled();

  expect(client.of(goAway).map((frame) => frame.payload.readUInt32BE())).toEqual([2 ** 31 - 1, 3]);
  expect(streams.map(({ id }) => id)).toEqual([1, 3]);
  expect(client.isOver()).toBe(false);
  for (const stream of streams) answer(stream);
  await client.settled();
  expect(client.isOver()).toBe(true);
});

test('a connection is idle without requests, not while one goes on', async () => {
  const streams: ServerStream[] = [];
  const client = connected({ onStream: (stream) => void streams.push(stream) });
  client.ask(1);
  await client.settled();
  for (let period = 0; period < 5; period++) client.connection.endIfIdle(3);
  await client.settled();
  expect(client.of(goAway)).toEqual([]);

  answer(streams[0]!);
  await client.settled();
  for (let period = 0; period < 4; period++) client.connection.endIfIdle(3);
  await client.settled();
  expect(client.of(goAway).length).toBe(1);
});

test('an answer that can’t be sent ends its connection, and no other', async () => {
  const broken = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no headers');
      },
    },
  );
  const client = connected({ onStream: (stream) => stream.respond(200, broken) });
  const other = connected({ onStream: answer });
  client.ask(1);
  other.ask(1);
  await other.until(({ type }) => type === headers);
  const { payload } = await client.until(({ type }) => type === goAway);
  expect(payload.readUInt32BE(4)).toBe(errorCodes.internal);
  expect(client.faults).toEqual([new Error('no headers')]);
});

const block = blockOf(getFields);

test.each([
  ['a frame longer than agreed on', [data, 0, 1, Buffer.alloc(20_000)], errorCodes.frameSize],
  ['data on a stream that has not begun', [data, 0, 7, Buffer.alloc(1)], errorCodes.protocol],
  ['data on no stream', [data, 0, 0, Buffer.alloc(1)], errorCodes.protocol],
  ['a reset of a stream that has not begun', [resetStream, 0, 7, numbers(8)], errorCodes.protocol],
  ['a window of a stream that has not begun', [windowUpdate, 0, 7, numbers(8)], errorCodes.protocol],
  ['headers on an even stream', [headers, whole, 2, block], errorCodes.protocol],
  ['headers that are none', [headers, whole, 1, Buffer.of(0x80)], errorCodes.compression],
  ['more padding than frame', [headers, whole | flags.padded, 1, Buffer.of(9, 0x82)], errorCodes.protocol],
  ['a stream that depends on itself', [priority, 0, 1, hex('00000001 00')], errorCodes.protocol],
  ['a priority of four bytes', [priority, 0, 1, numbers(0)], errorCodes.frameSize],
  ['a window of more than 31 bits', [windowUpdate, 0, 0, hex('7fffffff')], errorCodes.flowControl],
  ['a window opened by nothing', [windowUpdate, 0, 0, numbers(0)], errorCodes.protocol],
  ['half a setting', [settings, 0, 0, Buffer.alloc(5)], errorCodes.frameSize],
  ['an acknowledgement that says something', [settings, flags.ack, 0, Buffer.alloc(6)], errorCodes.frameSize],
  ['settings of a stream', [settings, 0, 1], errorCodes.protocol],
  ['frames smaller than all must take', [settings, 0, 0, hex('0005 00000001')], errorCodes.protocol],
  ['a push setting of two', [settings, 0, 0, hex('0002 00000002')], errorCodes.protocol],
  ['a first window of 32 bits', [settings, 0, 0, hex('0004 80000000')], errorCodes.flowControl],
  ['a ping of six bytes', [ping, 0, 0, Buffer.alloc(6)], errorCodes.frameSize],
  ['a continuation of nothing', [continuation, 0, 1, block], errorCodes.protocol],
  ['a push', [frameTypes.pushPromise, flags.endHeaders, 1, block], errorCodes.protocol],
] as const)('%s ends the connection with the reason', async (_, [type, bits, id, payload], code) => {
  const client = connected({ onStream: ignore });
  client.send(type, bits, id, payload);
  const { payload: reported } = await client.until((frame) => frame.type === goAway);
  expect(reported.readUInt32BE(4)).toBe(code);
  expect(client.faults).toEqual([]);
});

test.each<[string, Fields]>([
  ['a name with capitals', { ...getFields, Accept: 'x' }],
  ['an unknown pseudo header', { ':strange': 'x', ...getFields }],
  ['a status', { ...getFields, ':status': '200' }],
  ['a pseudo header behind others', { ':method': 'GET', ':scheme': 'https', a: 'b', ':path': '/' }],
  ['two paths', { ...getFields, ':path': ['/a', '/b'] }],
  ['no method', { ':scheme': 'https', ':path': '/' }],
  ['no scheme', { ':method': 'GET', ':path': '/' }],
  ['no path', { ':method': 'GET', ':scheme': 'https' }],
  ['an empty path', { ...getFields, ':path': '' }],
  ['a path that begins with nothing', { ...getFields, ':path': 'a/b' }],
  ['te', { ...getFields, te: 'gzip' }],
  ['a line feed in a value', { ...getFields, a: 'b\nc' }],
  ['two lengths', { ...postFields, 'content-length': ['1', '2'] }],
  ['a length that is none', { ...postFields, 'content-length': '+1' }],
  ['a length without a body', { ...getFields, 'content-length': '1' }],
])('a request with %s is malformed, and the connection goes on', async (_, fields) => {
  const client = connected({ onStream: answer });
  client.ask(1, fields);
  const reset = await client.until(({ type }) => type === resetStream);
  expect(reset.payload.readUInt32BE()).toBe(errorCodes.protocol);
  client.ask(3);
  await client.until(({ type, streamId }) => type === headers && streamId === 3);
});

// `connection` and similar headers: our encoder omits them, so they are encoded by hand here.
test('headers that only HTTP/1.1 has make a request malformed', async () => {
  const client = connected({ onStream: answer });
  const keepAlive = Buffer.concat([
    Buffer.of(0, 10),
    Buffer.from('connection'),
    Buffer.of(1),
    Buffer.from('x'),
  ]);
  client.send(headers, whole, 1, Buffer.concat([block, keepAlive]));
  const reset = await client.until(({ type }) => type === resetStream);
  expect(reset.payload.readUInt32BE()).toBe(errorCodes.protocol);
});

test.each([
  ['more data than the length said', [Buffer.alloc(5), 0], errorCodes.protocol],
  ['less', [Buffer.alloc(3), flags.endStream], errorCodes.protocol],
] as const)('a body with %s is malformed', async (_, [body, bits], code) => {
  const client = connected({ onStream: ignore });
  client.ask(1, { ...postFields, 'content-length': '4' }, flags.endHeaders);
  client.send(data, bits, 1, body);
  const reset = await client.until(({ type }) => type === resetStream);
  expect(reset.payload.readUInt32BE()).toBe(code);
});

test('trailers end a body; pseudo headers have no place there', async () => {
  const ended: number[] = [];
  const client = connected({
    onStream(stream) {
      stream.listener = { onData: ignore, onEnd: () => void ended.push(stream.id) };
    },
  });
  for (const id of [1, 3]) client.ask(id, postFields, flags.endHeaders);
  client.send(headers, whole, 1, blockOf({ checksum: 'x' }));
  client.send(headers, whole, 3, blockOf({ ':path': '/' }));
  const reset = await client.until(({ type }) => type === resetStream);
  expect([ended, reset.streamId]).toEqual([[1], 3]);
});

test.each([
  ['data after the end of a body', [data, 0, 1, Buffer.alloc(1)]],
  ['headers after the end of a body', [headers, whole, 1, block]],
] as const)('%s ends the stream', async (_, [type, bits, id, payload]) => {
  const client = connected({ onStream: ignore });
  client.ask(1);
  client.send(type, bits, id, payload);
  const reset = await client.until((frame) => frame.type === resetStream);
  expect(reset.payload.readUInt32BE()).toBe(errorCodes.streamClosed);
});

test('headers on a stream that is over, and on one that was passed over, end the connection', async () => {
  const over = connected({ onStream: answer });
  over.ask(1);
  await over.settled();
  over.ask(1);
  const passed = connected({ onStream: answer });
  passed.ask(5);
  passed.ask(3);
  const codes = [over, passed].map(async (client) =>
    (await client.until(({ type }) => type === goAway)).payload.readUInt32BE(4),
  );
  expect(await Promise.all(codes)).toEqual([errorCodes.streamClosed, errorCodes.protocol]);
});

test.each([
  ['pings', floodBounds.pings, [ping, 0, 0, Buffer.alloc(8)]],
  ['settings', floodBounds.settings, [settings, 0, 0]],
  ['priorities', floodBounds.priorities, [priority, 0, 3, hex('00000000 00')]],
  ['data without data', floodBounds.emptyData, [data, 0, 1]],
  ['frames that nobody knows', floodBounds.strayFrames, [0xbb, 0, 0]],
] as const)('%s without end are one thing too many', async (_, bound, [type, bits, id, payload]) => {
  const client = connected({ onStream: ignore });
  client.ask(1, postFields, flags.endHeaders);
  for (let sent = 1; sent < bound; sent++) client.send(type, bits, id, payload);
  await client.settled();
  expect(client.of(goAway)).toEqual([]);
  client.send(type, bits, id, payload);
  client.send(type, bits, id, payload);
  const { payload: reported } = await client.until((frame) => frame.type === goAway);
  expect(reported.readUInt32BE(4)).toBe(errorCodes.enhanceYourCalm);
});

test('streams that are opened to be reset are counted for a while, whoever is made to reset them', async () => {
  const rapid = connected({ onStream: ignore });
  const provoking = connected({ onStream: ignore });
  const slow = connected({ onStream: ignore });
  for (let id = 1; id <= 2 * floodBounds.resets + 1; id += 2) {
    for (const client of [rapid, provoking, slow]) client.ask(id, postFields, flags.endHeaders);
    rapid.send(resetStream, 0, id, numbers(8));
    slow.send(resetStream, 0, id, numbers(8));
    provoking.send(windowUpdate, 0, id, numbers(0));
    if (id % 101 === 0) await slow.settled();
    if (id % 1111 === 0) await slow.clock.advance(floodWindowMs + 1);
  }
  const codes = [rapid, provoking].map(async (client) =>
    (await client.until(({ type }) => type === goAway)).payload.readUInt32BE(4),
  );
  expect(await Promise.all(codes)).toEqual([errorCodes.enhanceYourCalm, errorCodes.enhanceYourCalm]);
  expect(slow.of(goAway)).toEqual([]);
});

test.each([
  ['that say nothing', Buffer.alloc(0)],
  ['that say little', blockOf({ a: 'b' })],
])('headers that go on and on in frames %s end the connection', async (_, piece) => {
  const client = connected({ onStream: ignore });
  client.ask(1, getFields, flags.endStream);
  for (let sent = 0; sent < 100; sent++) client.send(continuation, 0, 1, piece);
  const { payload } = await client.until(({ type }) => type === goAway);
  expect(payload.readUInt32BE(4)).toBe(errorCodes.enhanceYourCalm);
});

test('headers that are never ended end the connection when it would be idle', async () => {
  const client = connected({ onStream: ignore });
  client.ask(1, postFields, flags.endHeaders);
  client.ask(3, getFields, flags.endStream);
  await client.settled();
  for (let period = 0; period < 4; period++) client.connection.endIfIdle(3);
  const { payload } = await client.until(({ type }) => type === goAway);
  expect(payload.readUInt32BE(4)).toBe(errorCodes.enhanceYourCalm);
});
