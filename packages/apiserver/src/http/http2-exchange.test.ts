import { connected, getFields, numbers, postFields, type Fields } from '@coxswain/http2/testing/connected.ts';
import { flags, frameTypes } from '@coxswain/http2/frames/frame.ts';
import { expect, test } from 'vitest';
import type { IncomingRequest, Peer } from './api-request.ts';
import { textResponse, type ApiResponse, type StreamSink } from './api-response.ts';
import { blockBytes } from './blocks.ts';
import { Http2Request, answerHttp2 } from './http2-exchange.ts';
import type { RequestBody } from './request-body.ts';
import { frameBytes, streamPendingBytesMax } from './transport-limits.ts';

const peer: Peer = { address: '', tls: true, protocol: 'HTTP/2.0' };
const { data, headers, resetStream, windowUpdate } = frameTypes;

/** A client, and the requests as they arrived; `serve` answers them. */
function served(serve: (request: IncomingRequest) => ApiResponse | undefined) {
  const requests: IncomingRequest[] = [];
  const client = connected({
    framePayloadBytesMax: frameBytes,
    streamWindowBytes: frameBytes,
    onStream(stream) {
      const request = new Http2Request(stream, peer);
      requests.push(request);
      const response = serve(request);
      if (response !== undefined) answerHttp2(stream, response);
    },
  });
  const post = (fields: Fields = {}) => client.ask(1, { ...postFields, ...fields }, flags.endHeaders);
  return { ...client, requests, post };
}

const unanswered = () => undefined;

const streamOf = (body: RequestBody) => {
  if (body.kind !== 'stream') throw new Error(`the body is ${body.kind}`);
  return body.stream;
};

const bytesOf = (frames: readonly { readonly payload: Uint8Array }[]): number =>
  frames.reduce((sum, { payload }) => sum + payload.length, 0);

test('a request has its path, query, headers and each of their values', async () => {
  const { ask, requests, settled } = served(unanswered);
  ask(1, { ...getFields, ':path': '/api?a=b?c', 'impersonate-group': ['x', 'y'] });
  await settled();

  expect(requests[0]).toMatchObject({ method: 'GET', path: '/api', query: 'a=b?c', body: { kind: 'none' } });
  expect(requests[0]!.headers['impersonate-group']).toBe('x, y');
  expect(requests[0]!.rawHeaders!.slice(-4)).toEqual(['impersonate-group', 'x', 'impersonate-group', 'y']);
});

test('a body in small pieces is read as one', async () => {
  const { post, send, requests, settled } = served(unanswered);
  post();
  for (let piece = 0; piece < 500; piece++) send(data, 0, 1, Buffer.from(`${piece} `));
  send(data, flags.endStream, 1);
  await settled();

  const bytes = await streamOf(requests[0]!.body).read(10_000);
  expect(Buffer.from(bytes).toString()).toBe(Array.from({ length: 500 }, (_, piece) => `${piece} `).join(''));
});

test('a body beyond the limit is refused and its rest not read', async () => {
  const { post, send, requests, settled } = served(unanswered);
  post();
  await settled();
  const read = streamOf(requests[0]!.body).read(1000);
  send(data, 0, 1, Buffer.alloc(1001));

  await expect(read).rejects.toMatchObject({ status: { code: 413 } });
});

test('an incomplete body is an error', async () => {
  const { post, send, requests, settled } = served(unanswered);
  post();
  send(data, 0, 1, Buffer.alloc(10));
  await settled();
  const read = streamOf(requests[0]!.body).read(1000);
  send(resetStream, 0, 1, numbers(8));

  await expect(read).rejects.toMatchObject({
    status: { message: expect.stringContaining('unexpected EOF') },
  });
});

test('a forwarded body arrives no faster than it is read', async () => {
  const { post, send, of, requests, settled } = served(unanswered);
  post();
  await settled();
  const chunks = streamOf(requests[0]!.body).chunks()[Symbol.asyncIterator]();
  send(data, 0, 1, Buffer.alloc(frameBytes, 'x'));
  const first = await chunks.next();
  expect(first.value?.length).toBe(frameBytes);
  await settled();
  expect(of(windowUpdate, 1)).toEqual([]);

  const next = chunks.next();
  await expect
    .poll(() => of(windowUpdate, 1).map(({ payload }) => payload.readUInt32BE()))
    .toEqual([frameBytes]);
  send(data, flags.endStream, 1, Buffer.from('y'));
  expect(Buffer.from((await next).value!).toString()).toBe('y');
  expect((await chunks.next()).done).toBe(true);
});

test('the response to HEAD has a length but no body', async () => {
  const { ask, of, settled } = served(() => textResponse(200, 'four'));
  ask(1, { ...getFields, ':method': 'HEAD' });
  await settled();

  expect(bytesOf(of(data))).toBe(0);
  expect(of(headers)[0]!.payload.toString('latin1')).toContain('4');
});

test('blocks are made as fast as the client reads, and no faster', async () => {
  let made = 0;
  const chunks = (function* chunks() {
    while (made++ < 20) yield new Uint8Array(blockBytes);
  })();
  const { ask, send, of, settled } = served(() => ({
    status: 200,
    headers: {},
    body: { kind: 'chunks', chunks, bytesTotal: 20 * blockBytes },
  }));
  ask(1);
  await settled();
  expect(made).toBe(1);

  for (const stream of [0, 1]) send(windowUpdate, 0, stream, numbers(3 * blockBytes));
  await settled();
  expect(made).toBeLessThan(6);
  for (const stream of [0, 1]) send(windowUpdate, 0, stream, numbers(20 * blockBytes));
  await expect.poll(() => of(data).at(-1)?.flags).toBe(flags.endStream);
  expect(bytesOf(of(data))).toBe(20 * blockBytes);
});

test('the source of a streamed response waits for a client that does not read', async () => {
  let sink: StreamSink | undefined;
  const { ask, send, settled } = served(() => ({
    status: 200,
    headers: {},
    body: { kind: 'stream', open: (opened) => void (sink = opened) },
  }));
  ask(1);
  await settled();
  sink!.write(Buffer.alloc(1000));
  expect(sink!.drained()).toBeUndefined();
  sink!.write(Buffer.alloc(streamPendingBytesMax + 100_000));
  let isDrained = false;
  void sink!.drained()!.then(() => (isDrained = true));
  await settled();
  expect(isDrained).toBe(false);

  for (const stream of [0, 1]) send(windowUpdate, 0, stream, numbers(10 * streamPendingBytesMax));
  await expect.poll(() => isDrained).toBe(true);
});

test("a client's disconnect reaches those who listen for it", async () => {
  const reported: string[] = [];
  const { ask, send, requests, settled } = served(() => ({
    status: 200,
    headers: {},
    body: { kind: 'stream', open: (sink) => sink.onClose(() => reported.push('sink')) },
  }));
  ask(1);
  await settled();
  requests[0]!.signal().addEventListener('abort', () => reported.push('signal'));
  send(resetStream, 0, 1, numbers(8));
  await settled();

  expect(reported).toEqual(['sink', 'signal']);
  expect(requests[0]!.signal().aborted).toBe(true);
});

test('a response with `connection: close` ends the connection, not the other requests on it', async () => {
  const { ask, of, isOver, settled } = served(({ path }) =>
    path === '/bye' ? { ...textResponse(200, 'x'), headers: { connection: 'close' } } : undefined,
  );
  ask(1);
  ask(3, { ...getFields, ':path': '/bye' });
  await settled();

  expect(of(frameTypes.goAway).length).toBe(1);
  expect(of(data, 3).length).toBe(1);
  expect(isOver()).toBe(false);
});

test('of long responses that nobody reads, those that have waited longest are given up', async () => {
  const chunks = Array.from({ length: 4 }, () => new Uint8Array(blockBytes));
  const body = { kind: 'chunks', chunks, bytesTotal: 4 * blockBytes } as const;
  /** Together they hold a little more than the bound of 512 MiB. */
  const clients = Array.from({ length: 21 }, () => served(() => ({ status: 200, headers: {}, body })));
  for (const { ask, settled } of clients) {
    for (let at = 0; at < 100; at++) ask(2 * at + 1);
    await settled();
  }
  const givenUp = clients.map(({ of }) => of(resetStream).length);
  for (const { connection } of clients) connection.close();

  expect(givenUp[0]).toBeGreaterThan(40);
  expect(givenUp[0]).toBeLessThan(60);
  expect(new Set(givenUp.slice(1))).toEqual(new Set([0]));
});
