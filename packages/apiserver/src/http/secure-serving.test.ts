import { connect as connectHttp2, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { ManualClock, systemClock } from '@coxswain/apimachinery';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMap, configMaps } from '../testing/config-map.ts';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { serveSecurely, type SecureServer } from './secure-serving.ts';
import { concurrentStreamsDefault, frameBytes, handshakeMsMax, lookMs } from './transport-limits.ts';

const api = inMemoryApi({ resources: [{ kind: ConfigMap }], clock: systemClock });
let server: SecureServer;
const sessions: ClientHttp2Session[] = [];

beforeAll(async () => {
  const { key, cert } = await selfSigned();
  const options = { host: '127.0.0.1', port: 0, key, cert } as const;
  server = await serveSecurely({ ...options, serve: (incoming) => api.chain.serve(incoming) });
});

afterAll(async () => {
  for (const session of sessions) session.destroy();
  await server.close(0);
});

const authorization = 'Bearer test-token';

function session(settings = {}): ClientHttp2Session {
  const opened = connectHttp2(`https://127.0.0.1:${server.address.port}`, {
    rejectUnauthorized: false,
    settings,
  });
  opened.on('error', () => undefined);
  sessions.push(opened);
  return opened;
}

function send(on: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string | Uint8Array) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const stream = on.request({ authorization, 'content-type': 'application/json', ...headers });
    let status = 0;
    let text = '';
    stream.on('response', (head) => (status = Number(head[':status'])));
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    stream.on('close', () => resolve({ status, body: text }));
    stream.on('error', (failure) => (status === 0 ? reject(failure) : resolve({ status, body: text })));
    stream.end(body);
  });
}

test("the settings are upstream's", async () => {
  const client = session();
  const settings = await new Promise<{ maxConcurrentStreams?: number; initialWindowSize?: number }>(
    (resolve) => client.once('remoteSettings', resolve),
  );

  expect(settings).toMatchObject({
    maxConcurrentStreams: concurrentStreamsDefault,
    initialWindowSize: frameBytes,
  });
});

test('an object stored over HTTP/2 can be read over HTTP/1.1', async () => {
  const created = await send(
    session(),
    { ':method': 'POST', ':path': configMaps },
    JSON.stringify(configMap('both')),
  );

  const read = await new Promise<string>((resolve, reject) => {
    const asked = httpsRequest(
      {
        host: '127.0.0.1',
        port: server.address.port,
        path: `${configMaps}/both`,
        rejectUnauthorized: false,
        headers: { authorization },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(text));
      },
    );
    asked.on('error', reject);
    asked.end();
  });

  expect([created.status, read]).toEqual([201, created.body]);
});

test('a body beyond the limit is refused, with or without a declared length', async () => {
  const big = new Uint8Array(4 * 1024 * 1024).fill(0x20);
  const post = { ':method': 'POST', ':path': configMaps };

  for (const headers of [post, { ...post, 'content-length': String(big.length) }]) {
    const answer = await send(session(), headers, big);
    expect(answer.status).toBe(413);
    expect(answer.body).toContain('Request entity too large: limit is 3145728');
  }
});

test('a client that stops in the middle of a body does no harm', async () => {
  const client = session();
  const stream = client.request({
    authorization,
    ':method': 'POST',
    ':path': configMaps,
    'content-type': 'application/json',
  });
  stream.on('error', () => undefined);
  stream.write('{"metadata":');
  await new Promise((resolve) => setImmediate(resolve));
  client.destroy();

  expect((await send(session(), { ':path': configMaps })).status).toBe(200);
});

test('headers beyond the limit end the stream, not the server', async () => {
  const client = session();
  const flood = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, 'y'.repeat(20_000)]));
  await send(client, { ':path': configMaps, ...flood }).catch(() => undefined);

  expect((await send(session(), { ':path': configMaps })).status).toBe(200);
});

test('a client that never reads its watch does not grow the server', async () => {
  const lazy = session({ initialWindowSize: 0 });
  const stream = lazy.request({ authorization, ':path': `${configMaps}?watch=true` });
  stream.on('error', () => undefined);
  await new Promise((resolve) => stream.once('response', resolve));
  const writer = session();
  const data = { k: 'x'.repeat(200_000) };

  for (let at = 0; at < 100; at++) {
    const answer = await send(
      writer,
      { ':method': 'POST', ':path': configMaps },
      JSON.stringify(configMap(`lazy-${at}`, data)),
    );
    expect(answer.status).toBe(201);
  }

  expect((await send(writer, { ':method': 'DELETE', ':path': configMaps })).status).toBe(200);
});

test('a connection that opens streams only to reset them is closed', async () => {
  const client = session();
  await new Promise((resolve) => client.once('connect', resolve));
  const closed = new Promise((resolve) => client.once('close', resolve));
  for (let at = 0; at < 3000 && !client.destroyed; at++) {
    const stream = client.request({ authorization, ':path': `${configMaps}?watch=true` });
    stream.on('error', () => undefined);
    stream.close(8);
    if (at % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
  }

  await closed;
  expect((await send(session(), { ':path': configMaps })).status).toBe(200);
});

test('a connection without credentials is closed after one answer', async () => {
  const client = session();
  const closed = new Promise((resolve) => client.once('close', resolve));

  const answer = await send(client, { ':path': configMaps, authorization: '' });
  await closed;

  expect(answer.status).toBe(200);
});

test('connections that are not TLS or not HTTP are closed', async () => {
  await new Promise<void>((resolve) => {
    const socket = tlsConnect(
      { port: server.address.port, host: '127.0.0.1', rejectUnauthorized: false },
      () => socket.write('NONSENSE\r\n\r\n'),
    );
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => expect(chunk.toString()).toContain('400 Bad Request'));
    socket.on('close', () => resolve());
  });

  expect((await send(session(), { ':path': configMaps })).status).toBe(200);
});

test('a client that does not use TLS is told so', async () => {
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(server.address.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n\r\n'));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
  });

  expect(answer).toBe('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
});

test('an unknown HTTP/1.1 method is refused like any other that is not allowed', async () => {
  const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port: server.address.port,
        path: configMaps,
        method: 'FROB',
        rejectUnauthorized: false,
        headers: { authorization },
      },
      (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    request.on('error', reject);
    request.end();
  });

  expect(answer.status).toBe(405);
  expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', reason: 'MethodNotAllowed' });
});

test('a warning with non-ASCII text arrives as UTF-8, over both protocols', async () => {
  const path = '/api/v1/namespaces/default/configmaps';
  const body = JSON.stringify({ ...configMap('warned'), 水: 1 });
  const over2 = await new Promise<string>((resolve, reject) => {
    const headers = { ':method': 'POST', ':path': path, authorization, 'content-type': 'application/json' };
    const stream = session().request(headers);
    stream.on('response', (head) => resolve(String(head['warning'])));
    stream.on('error', reject);
    stream.end(body);
  });
  const over1 = await new Promise<string>((resolve, reject) => {
    const { port } = server.address;
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = httpsRequest(
      { host: '127.0.0.1', port, path, method: 'POST', headers, rejectUnauthorized: false },
      (response) => {
        resolve(String(response.headers['warning']));
        response.destroy();
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

  const texts = [over2, over1].map((header) => Buffer.from(header, 'latin1').toString());
  expect(texts).toEqual(['299 - "unknown field \\"水\\""', '299 - "unknown field \\"水\\""']);
});

/** Larger than what the sockets of a connection hold. */
const longBody = {
  kind: 'chunks',
  bytesTotal: 1000 * frameBytes,
  get chunks() {
    return Array.from({ length: 1000 }, () => new Uint8Array(frameBytes));
  },
} as const;

test.each([
  [
    'HTTP/1.1',
    'http/1.1',
    `GET ${configMaps} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`,
  ],
  ['HTTP/2', 'h2', undefined],
])(
  'a response that is not read within the time of its request is given up: %s',
  async (_, protocol, head) => {
    const { key, cert } = await selfSigned();
    const clock = new ManualClock();
    const { chain } = inMemoryApi({ resources: [{ kind: ConfigMap }], clock });
    const served = Promise.withResolvers<void>();
    const other = await serveSecurely({
      host: '127.0.0.1',
      port: 0,
      key,
      cert,
      clock,
      async serve(incoming) {
        await chain.serve(incoming);
        served.resolve();
        return { status: 200, headers: {}, body: longBody };
      },
    });
    const { port } = other.address;
    const closed = Promise.withResolvers<string>();
    let goOn = (): void => undefined;
    const connection = { host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: [protocol] };
    if (head === undefined) {
      const client = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
      sessions.push(client);
      const stream = client.request({ authorization, ':path': configMaps });
      stream.pause();
      stream.on('error', (failure) => closed.resolve(failure.message));
    } else {
      const socket = tlsConnect(connection, () => socket.write(head));
      socket.pause();
      // A socket that is not read notices no end.
      goOn = () => void socket.resume();
      socket.on('error', (failure) => closed.resolve(failure.message));
      socket.on('close', () => closed.resolve('closed'));
    }
    await served.promise;
    await new Promise((resolve) => void setImmediate(resolve));

    await clock.advance(60_000 - lookMs);
    const early = await Promise.race([
      closed.promise,
      new Promise((resolve) => void setImmediate(resolve, 'open')),
    ]);
    await clock.advance(2 * lookMs);
    goOn();

    expect(early).toBe('open');
    expect(await closed.promise).toMatch(/closed|ECONNRESET|INTERNAL_ERROR/);
    await other.close(0);
  },
);

test('a handshake times out by the number of checks, not by wall time', async () => {
  const { key, cert } = await selfSigned();
  const clock = new ManualClock();
  const logged: string[] = [];
  const options = { host: '127.0.0.1', port: 0, key, cert, clock, log: (line: string) => logged.push(line) };
  const other = await serveSecurely({ ...options, serve: (incoming) => api.chain.serve(incoming) });
  const socket = connect(other.address.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => void socket.once('close', resolve));
  await new Promise((resolve) => void socket.once('connect', resolve));
  socket.write(Buffer.from([0x16, 0x03, 0x01]));
  await new Promise((resolve) => void setImmediate(resolve));

  await clock.advance(handshakeMsMax);
  const before = logged.length;
  await clock.advance(lookMs);
  await closed;
  await other.close(0);

  expect(before).toBe(0);
  expect(logged).toEqual([
    expect.stringMatching(/^http: TLS handshake error from 127\.0\.0\.1:\d+: i\/o timeout$/),
  ]);
});

test.each([
  ['a small body that nobody reads leaves the connection as it is', 64 * 1024, true],
  ['a large body that nobody reads ends the connection after the answer', 1024 * 1024, false],
])('%s', async (_name, bytes, staysOpen) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: { status: number; reused: boolean; connection: string | undefined }[] = [];
  for (let turn = 0; turn < 2; turn++) {
    const answer = new Promise<(typeof answers)[number]>((resolve, reject) => {
      const request = httpsRequest({
        agent,
        host: '127.0.0.1',
        port: server.address.port,
        path: configMaps,
        method: 'POST',
        rejectUnauthorized: false,
        headers: { authorization, 'content-type': 'text/strange', 'content-length': bytes },
      });
      request.on('response', (response) => {
        response.resume();
        const { connection } = response.headers;
        resolve({ status: response.statusCode!, reused: request.reusedSocket, connection });
      });
      request.on('error', reject);
      request.end(Buffer.alloc(bytes));
    });
    answers.push(await answer);
  }
  agent.destroy();

  expect(answers.map(({ status }) => status)).toEqual([415, 415]);
  expect(answers[1]!.reused).toBe(staysOpen);
  expect(answers[0]!.connection).toBe(staysOpen ? undefined : 'close');
});
