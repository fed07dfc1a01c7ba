import { PassThrough, Duplex } from 'node:stream';
import { noteServed } from '@coxswain/apimachinery/slices.ts';
import { expect, test } from 'vitest';
import { UpgradedConnection } from './upgraded-connection.ts';

/** A connection, the client's side of it, and a clock that each piece read advances by `msPerByte`. */
function upgraded({ sent = '', msPerByte = 0 } = {}) {
  let nowMs = 0;
  const clock = { monotonic: () => nowMs } as never;
  const [toServer, toClient] = [new PassThrough({ highWaterMark: 1e6 }), new PassThrough()];
  const socket = Duplex.from({ readable: toServer, writable: toClient } as never);
  const connection = new UpgradedConnection({ socket, sent: Buffer.from(sent), clock, owner: 'heavy' });
  const pieces: Buffer[] = [];
  const read = (): void =>
    void connection.on('data', (piece: Buffer) => {
      pieces.push(piece);
      nowMs += piece.length * msPerByte;
    });
  return { connection, toServer, toClient, pieces, read, clock };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const text = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString();

test('everything arrives in order, what was sent ahead first, and then the end', async () => {
  const { connection, toServer, pieces, read } = upgraded({ sent: 'ahead ' });
  const ended = new Promise<void>((resolve) => void connection.once('end', () => resolve()));
  read();
  toServer.write('x'.repeat(200_000));
  toServer.end(' last');
  await ended;

  expect(text(pieces)).toBe(`ahead ${'x'.repeat(200_000)} last`);
});

test('what takes long to read is read in pieces, over many turns of the event loop', async () => {
  const { toServer, pieces, read, clock } = upgraded({ msPerByte: 0.001 });
  noteServed(clock, 'light', 0);
  noteServed(clock, 'heavy', 0);
  read();
  toServer.write('x'.repeat(50_000));
  const perTurn: number[] = [];
  for (let bytes = 0; bytes < 50_000;) {
    await turn();
    const before = bytes;
    bytes = text(pieces).length;
    perTurn.push(bytes - before);
  }

  expect(Math.max(...perTurn)).toBeLessThan(10_000);
  expect(perTurn.length).toBeGreaterThan(5);
});

test('a protocol that reads nothing holds the client back', async () => {
  const { connection, toServer } = upgraded();
  connection.pause();
  let accepted = 0;
  for (; accepted < 1000; accepted++) {
    if (!toServer.write(Buffer.alloc(16 * 1024))) break;
    await turn();
  }

  expect(toServer.readableLength).toBeGreaterThan(500_000);
  expect(connection.readableLength).toBeLessThan(200_000);
});

test('a client that is cut off ends the connection, and a connection that is destroyed its socket', async () => {
  const cut = upgraded();
  cut.read();
  cut.toServer.destroy();
  await turn();
  await turn();
  expect(cut.connection.destroyed).toBe(true);

  const ended = upgraded();
  ended.connection.destroy();
  await turn();
  expect(ended.toServer.destroyed).toBe(true);
});
