/** Connections that ask for work without reading answers, or that never finish asking. */
import { connect as connectTcp, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedServer, type AttackedServer } from './attacked-server.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

const types = { headers: 1, reset: 3, settings: 4, ping: 6, windowUpdate: 8, continuation: 9 };
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const settings = frame(types.settings, 0, 0);
const oneSetting = frame(types.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0x40, 0]));
const ping = frame(types.ping, 0, 0, Buffer.alloc(8));
/** `:method GET`, `:scheme https`, `:path /`, by their places in HPACK's table. */
const get = Buffer.from([0x82, 0x87, 0x84]);
const endOfHeaders = 4;
const endOfBoth = 5;
/** A header of 1,000 letters, written out. */
const longHeader = Buffer.concat([
  Buffer.from([0x00, 0x01, 0x61, 0x7f, 0xe9, 0x06]),
  Buffer.alloc(1000, 'x'),
]);

/** A busy machine closes later. */
const closeMsMax = 10_000;

/**
 * Writes as fast as the server takes it, reads nothing but the end. Resolves when the server has closed, or has taken
 * everything and lets the connection be for so many milliseconds.
 */
async function flood(pieces: () => Iterable<Uint8Array>, waitMs = closeMsMax): Promise<'closed' | 'taken'> {
  const socket: TLSSocket = await attacked.connect('h2');
  const isClosed = new Promise<'closed'>((resolve) => {
    socket.on('close', () => resolve('closed'));
    socket.on('error', () => resolve('closed'));
  });
  socket.resume();
  socket.write(Buffer.concat([preface, settings]));
  const written = (async () => {
    for (const piece of pieces()) {
      if (socket.destroyed) return;
      if (!socket.write(piece)) {
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), isClosed]);
      }
    }
  })();
  const end = await Promise.race([
    isClosed,
    written.then(() => answersVersion()).then(() => 'taken' as const),
  ]);
  const later = end === 'closed' ? end : await Promise.race([isClosed, takenAfter(waitMs)]);
  socket.destroy();
  return later;
}

const takenAfter = (ms: number) => new Promise<'taken'>((resolve) => setTimeout(() => resolve('taken'), ms));

async function answersVersion(): Promise<void> {
  const { status } = await attacked.send({ path: '/version' });
  expect(status).toBe(200);
}

const repeated = (piece: Uint8Array, times: number) =>
  function* pieces() {
    const block = Buffer.concat(Array.from({ length: 100 }, () => piece));
    for (let at = 0; at < times / 100; at++) yield block;
  };

describe('over HTTP/2', () => {
  test('streams that are opened to be reset end the connection', async () => {
    const pieces = function* pieces() {
      for (let id = 1; id < 20_000; id += 2) {
        yield Buffer.concat([
          frame(types.headers, endOfBoth, id, get),
          frame(types.reset, 0, id, Buffer.from([0, 0, 0, 8])),
        ]);
      }
    };

    expect(await flood(pieces)).toBe('closed');
    await answersVersion();
  });

  test('headers that never end, end the connection', async () => {
    const pieces = function* pieces() {
      yield frame(types.headers, 1, 1, get);
      for (let at = 0; at < 20_000; at++) yield frame(types.continuation, 0, 1, longHeader);
    };

    expect(await flood(pieces)).toBe('closed');
    await answersVersion();
  });

  test('empty continuations end the connection', async () => {
    const pieces = function* pieces() {
      yield frame(types.headers, 1, 1, get);
      for (let at = 0; at < 20_000; at++) yield frame(types.continuation, 0, 1);
    };

    expect(await flood(pieces)).toBe('closed');
  });

  test('headers beyond the bound are not kept', async () => {
    const block = Buffer.concat([get, ...Array.from({ length: 3000 }, () => longHeader)]);
    const pieces = function* pieces() {
      yield frame(types.headers, 1, 1, block.subarray(0, 16_000));
      for (let at = 16_000; at < block.length; at += 16_000) {
        const isLast = at + 16_000 >= block.length;
        yield frame(types.continuation, isLast ? endOfHeaders : 0, 1, block.subarray(at, at + 16_000));
      }
    };

    expect(await flood(pieces)).toBe('closed');
  });

  test.each([
    ['settings', oneSetting],
    ['pings', ping],
    ['windows opened by nothing', frame(types.windowUpdate, 0, 0, Buffer.from([0, 0, 0, 0]))],
  ])('%s without end leave the others their answers, and the memory bounded', async (_what, piece) => {
    const before = process.memoryUsage().rss;

    await flood(repeated(piece, 100_000), 0);

    await answersVersion();
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });
});

describe('connections that never finish asking leave the others their answers', () => {
  const connections = 300;

  test('before TLS is spoken', async () => {
    const sockets = await Promise.all(
      Array.from(
        { length: connections },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connectTcp(attacked.port, '127.0.0.1', () => resolve(socket));
            socket.on('error', () => undefined);
          }),
      ),
    );
    for (const socket of sockets) socket.write(Buffer.from([0x16, 0x03, 0x01]));

    await answersVersion();
    for (const socket of sockets) socket.destroy();
  });

  test('in the middle of the headers, and of the body', async () => {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => attacked.connect('http/1.1')));
    for (const [at, socket] of sockets.entries()) {
      socket.on('error', () => undefined);
      socket.write(
        at % 2 === 0
          ? 'GET /version HTTP/1.1\r\nHost: a\r\nX-'
          : 'POST /api/v1/namespaces HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{',
      );
    }

    await answersVersion();
    for (const socket of sockets) socket.destroy();
  });
});
