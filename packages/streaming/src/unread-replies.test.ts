/** Peers that send what has to be replied to, and never read. */
import { duplexPair, type Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { SpdyConnection } from './spdy/spdy-connection.ts';
import { WebSocketConnection } from './websocket/websocket.ts';

const repliedBytesMax = 256 * 1024;
const rounds = 1000;
const pingsPerRound = 100;

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Writes as much as the other side takes. */
async function flood(socket: Duplex, piece: Buffer): Promise<void> {
  const pieces = Buffer.concat(Array.from({ length: pingsPerRound }, () => piece));
  for (let round = 0; round < rounds; round++) {
    socket.write(pieces);
    await turn();
  }
}

/** The bytes that arrive until nothing more does. */
async function readAll(socket: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (let count = -1; count !== chunks.length;) {
    count = chunks.length;
    for (let turns = 0; turns < 20; turns++) await turn();
  }
  return Buffer.concat(chunks);
}

test('pings over a WebSocket get the last pong when the peer reads again', async () => {
  const [near, far] = duplexPair();
  const server = new WebSocketConnection({ socket: far, side: 'server' });
  server.send(Buffer.alloc(repliedBytesMax));
  const waitingBytes = far.writableLength;

  await flood(near, Buffer.from([0x89, 0x81, 0, 0, 0, 0, 0x61]));
  near.write(Buffer.from([0x89, 0x81, 0, 0, 0, 0, 0x7a]));
  await turn();
  expect(far.writableLength).toBeLessThanOrEqual(waitingBytes);
  const received = await readAll(near);

  expect(received.subarray(-3)).toEqual(Buffer.from([0x8a, 1, 0x7a]));
});

test('pings over SPDY wait in the connection, and all are replied to when the peer reads', async () => {
  const [near, far] = duplexPair();
  new SpdyConnection({ socket: far, side: 'server' });
  const ping = Buffer.from([0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1]);

  await flood(near, ping);
  expect(far.writableLength).toBeLessThan(repliedBytesMax);
  const received = await readAll(near);

  expect(received.length).toBe(rounds * pingsPerRound * ping.length);
});
