import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rawClient, settled, statusesIn } from '../../testing/raw-http1.ts';
import { textResponse, type StreamSink } from '../api-response.ts';
import { readBody } from '../request-body.ts';

const end = 'Host: a\r\n\r\n';
const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${end}`;
const bad = 'HTTP/1.1 400 Bad Request';
const ok = 'HTTP/1.1 200 OK';

interface Sent {
  readonly bytes: string;
  /** As recorded when it was executed. */
  readonly what: string;
}

const text = fc.stringMatching(/^[ -~]{0,40}$/);

const chunked = (parts: readonly string[]): string =>
  `${parts
    .filter((part) => part !== '')
    .map((part) => `${part.length.toString(16)};x=y\r\n${part}\r\n`)
    .join('')}0\r\nX-Trailer: 1\r\n\r\n`;

const requests: fc.Arbitrary<Sent[]> = fc
  .array(
    fc.oneof(
      fc.constant((path: string): Sent => ({ bytes: get(path), what: `GET ${path} ` })),
      fc.constant((path: string): Sent => ({
        bytes: `FROB ${path} HTTP/1.1\r\n${end}`,
        what: `FROB ${path} `,
      })),
      text.map((body) => (path: string): Sent => ({
        bytes: `POST ${path} HTTP/1.1\r\nContent-Length: ${body.length}\r\n${end}${body}`,
        what: `POST ${path} ${body}`,
      })),
      fc.array(text, { maxLength: 4 }).map((parts) => (path: string): Sent => ({
        bytes: `PUT ${path} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${end}${chunked(parts)}`,
        what: `PUT ${path} ${parts.join('')}`,
      })),
    ),
    { maxLength: 6 },
  )
  .map((makers) => makers.map((make, index) => make(`/${index}`)));

/** What follows the last request that is to be executed. */
const endings = fc.constantFrom(
  { bytes: '', carriedOut: [], refusals: [], closes: false },
  { bytes: '{"propagationPolicy":"Orphan"}\r\n\r\n', carriedOut: [], refusals: [bad], closes: true },
  {
    bytes: `GET /last HTTP/1.1\r\nConnection: close\r\n${end}${get('/never')}`,
    carriedOut: ['GET /last '],
    refusals: [],
    closes: true,
  },
);

const cut = (bytes: string, places: readonly number[]): string[] => {
  const at = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return at
    .slice(1)
    .map((place, index) => bytes.slice(at[index], place))
    .filter((piece) => piece !== '');
};

test('each request is executed once and answered in order, however its bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(requests, endings, fc.array(fc.nat(), { maxLength: 5 }), async (sent, last, places) => {
      const { send, received, served, isClosed } = rawClient();

      await send(...cut(sent.map(({ bytes }) => bytes).join('') + last.bytes, places));

      const carriedOut = [...sent.map(({ what }) => what), ...last.carriedOut];
      expect(served).toEqual(carriedOut);
      expect(statusesIn(received())).toEqual([...carriedOut.map(() => ok), ...last.refusals]);
      expect(received().match(/\/(?:\d|last)(?=HTTP|$)/g) ?? []).toEqual(
        carriedOut.map((what) => what.split(' ')[1]),
      );
      expect(isClosed()).toBe(last.closes);
    }),
    { numRuns: 60 },
  );
});

test('splitting a conversation at any byte changes nothing', async () => {
  const bytes = `${get('/a')}PUT /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${end}${chunked(['xyz'])}DELETE /c HTTP/1.1\r\n${end}{}\r\n\r\n`;
  const ends = await Promise.all(
    Array.from({ length: bytes.length }, async (_, at) => {
      const { send, served, received } = rawClient();
      await send(...cut(bytes, [at]));
      return [served, statusesIn(received())];
    }),
  );

  for (const one of ends)
    expect(one).toEqual([
      ['GET /a ', 'PUT /b xyz', 'DELETE /c '],
      [ok, ok, ok, bad],
    ]);
});

test('requests that arrive during a watch wait for its end', async () => {
  let watch: StreamSink | undefined;
  const { send, received, isClosed } = rawClient(() => ({
    status: 200,
    headers: {},
    body: { kind: 'stream', open: (sink) => void (watch = sink) },
  }));
  await send(get('/watch'), '{"garbage":true}\r\n\r\n');
  watch!.write(Buffer.from('event'));
  await settled();
  const during = received();
  watch!.end();
  await settled();

  expect(during.endsWith('\r\n\r\n5\r\nevent\r\n')).toBe(true);
  expect(received().slice(during.length)).toMatch(/^0\r\n\r\nHTTP\/1\.1 400 Bad Request\r\n/);
  expect(isClosed()).toBe(true);
});

test('100 Continue is sent when the body is read, and not if the request was refused before', async () => {
  const wanted = rawClient();
  const refused = rawClient(() => textResponse(403, 'no'));
  const head = `POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${end}`;
  await Promise.all([wanted.send(head), refused.send(head)]);
  const before = wanted.received();
  await wanted.send('ab');

  expect(before).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  expect(wanted.served).toEqual(['POST /a ab']);
  expect(statusesIn(refused.received())).toEqual(['HTTP/1.1 403 Forbidden']);
  expect(refused.isClosed()).toBe(true);
});

test('an unread body is skipped up to a limit, and not taken for a request', async () => {
  const { send, received, isClosed } = rawClient(() => textResponse(415, ''));
  const body = get('/evil').repeat(1000);
  await send(`POST /a HTTP/1.1\r\nContent-Length: ${body.length}\r\n${end}`, body, get('/b'));
  const wasOpen = !isClosed();
  await send(`POST /a HTTP/1.1\r\nContent-Length: ${300 * 1024}\r\n${end}`);

  expect([wasOpen, isClosed(), statusesIn(received()).length]).toEqual([true, true, 3]);
});

test('a client that sends faster than its body is read has to wait', async () => {
  const { client, send } = rawClient(() => new Promise(() => undefined));
  await send(`POST /a HTTP/1.1\r\nContent-Length: 10000000\r\n${end}`);
  for (let at = 0; at < 100; at++) client.write(Buffer.alloc(64 * 1024));
  await settled();

  expect(client.writableLength).toBeGreaterThan(4 * 1024 * 1024);
});

test('a client that sends requests without reading responses has to wait', async () => {
  const paths: string[] = [];
  const { client } = rawClient(({ path }) => {
    paths.push(path);
    return textResponse(200, 'x'.repeat(10_000));
  });
  client.pause();
  for (let at = 0; at < 1000; at++) client.write(get(`/${at}`));
  await settled();
  const whileNobodyRead = paths.length;
  client.resume();
  await settled();

  expect(whileNobodyRead).toBeLessThan(20);
  expect(paths.length).toBeGreaterThan(whileNobodyRead);
});

test('a half-closed client gets the responses to its requests', async () => {
  const { client, received, send, isClosed, served } = rawClient();
  client.allowHalfOpen = true;
  await send(get('/a') + get('/b'));
  client.end(get('/c'));
  await settled();

  expect([statusesIn(received()), served.length, isClosed()]).toEqual([[ok, ok, ok], 3, true]);
});

test('an upgraded protocol gets the connection and the bytes after the head', async () => {
  const heard: string[] = [];
  const { send, received } = rawClient(() => ({
    status: 101,
    headers: { connection: 'Upgrade', upgrade: 'x' },
    body: {
      kind: 'upgrade',
      accept(socket, sent) {
        heard.push(Buffer.from(sent).toString());
        const other = socket as NodeJS.ReadWriteStream;
        other.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
        other.write('hello');
      },
    },
  }));

  await send(`GET /a HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n${end}early`, 'later');

  expect(heard).toEqual(['', 'early', 'later']);
  expect(received()).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\nhello$/);
});

test('heads and idle connections have their limits in checks, whatever the time between these', async () => {
  const slow = rawClient();
  const idle = rawClient();
  await slow.send('GET /a HT');
  await idle.send(get('/a'));
  const patience = { idlePeriods: 5, headPeriods: 3 };
  const open: boolean[][] = [];
  for (let look = 0; look < 6; look++) {
    for (const { connection } of [slow, idle]) connection.look(patience);
    await settled();
    open.push([!slow.isClosed(), !idle.isClosed()]);
  }

  expect(open.map(String)).toEqual([
    'true,true',
    'true,true',
    'true,true',
    'false,true',
    'false,true',
    'false,false',
  ]);
  expect(slow.received()).toBe('');
});

test('a value never starts another line', async () => {
  const { send, received } = rawClient(() => ({
    status: 200,
    headers: { warning: 'a\r\nx-evil: 1' },
    body: { kind: 'none' },
  }));
  await send(get('/a'));

  expect(received()).toContain('warning: a  x-evil: 1\r\n');
});

test('a response shorter than declared ends the connection', async () => {
  const { send, isClosed } = rawClient(async ({ body }) => {
    await readBody(body);
    return {
      status: 200,
      headers: { 'content-length': '10' },
      body: { kind: 'stream', open: (sink) => (sink.write(Buffer.from('12345')), sink.end()) },
    };
  });
  await send(get('/a'));

  expect(isClosed()).toBe(true);
});

test('responses that were read do not count as unread, however many a connection carries', async () => {
  const bytes = Buffer.alloc(1024 * 1024);
  const body = { kind: 'bytes', bytes } as const;
  const { client, connection, send, isClosed } = rawClient(() => ({ status: 200, headers: {}, body }));
  let receivedBytes = 0;
  client.removeAllListeners('data').on('data', ({ length }: Buffer) => (receivedBytes += length));

  /** Together more than may be unread. */
  for (let at = 1; at <= 600; at++) {
    await send(get('/'));
    await expect.poll(() => receivedBytes, { interval: 1 }).toBeGreaterThan(at * bytes.length);
  }

  expect(isClosed()).toBe(false);
  connection.shutdown();
});

test('what still works for a request that was answered is aborted, though the connection goes on', async () => {
  const signals: AbortSignal[] = [];
  const { send, received } = rawClient((request) => {
    signals.push(request.signal());
    return textResponse(504, 'late');
  });
  await send(get('/one'), get('/two'));

  expect(statusesIn(received())).toHaveLength(2);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
