import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { PortSocket } from './port-socket.ts';

function pair(): [PortSocket, PortSocket] {
  const { port1, port2 } = new MessageChannel();
  return [new PortSocket(port1), new PortSocket(port2)];
}

/** Reading by iteration would also end the other direction. */
async function allOf(socket: Duplex): Promise<string> {
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += String(bytes)));
  await once(socket, 'end');
  return text;
}

test('carries bytes in both directions, each with an end of its own', async () => {
  const [one, other] = pair();
  const large = 'abc'.repeat(300_000);
  one.write('first ');
  one.end(large);
  expect(await allOf(other)).toBe(`first ${large}`);
  other.end('answer');
  expect(await allOf(one)).toBe('answer');
});

test('a writer waits for a reader that has not read', async () => {
  const [one, other] = pair();
  let written = 0;
  const write = () => one.write(Buffer.alloc(40_000), () => written++);
  for (let i = 0; i < 10; i++) write();
  await once(other, 'readable');
  // Two pieces fill the reader's buffer; the third is on its way.
  expect(written).toBeLessThan(3);
  other.resume();
  await new Promise<void>((resolve) => one.write('last', () => resolve()));
  expect(written).toBe(10);
  one.destroy();
  await once(other, 'close');
});

test('the end of one without a last byte is no end of the data', async () => {
  const [one, other] = pair();
  one.write('part');
  await once(other, 'readable');
  one.destroy();
  other.resume();
  let hasEnded = false;
  other.once('end', () => (hasEnded = true));
  await once(other, 'close');
  expect(hasEnded).toBe(false);
});
