import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { systemClock, type Clock } from '@coxswain/apimachinery';
import { nextTurn } from '@coxswain/apimachinery/next-turn.ts';
import { nextSlice, noteServed } from '@coxswain/apimachinery/slices.ts';
import type { StreamSink } from '@coxswain/apiserver';
import { expect, onTestFinished, test } from 'vitest';
import { pour } from './pour.ts';

test('while others are served, the chunks of a response are passed on in many turns, in order', async () => {
  const time = { nowMs: 0 };
  const clock = await contended(time);
  let turn = 0;
  let text = '';
  const turns = new Set<number>();
  const ended = Promise.withResolvers<void>();
  const sink: StreamSink = {
    bytesPending: 0,
    write: (chunk) => {
      text += new TextDecoder().decode(chunk);
      turns.add(turn);
      time.nowMs += 1;
    },
    drained: () => undefined,
    onClose: () => undefined,
    end: () => ended.resolve(),
    abort: () => ended.reject(new Error('aborted')),
  };
  const chunks = Array.from({ length: 20 }, (_, at) => Buffer.from(`${at} `));
  let isOver = false;
  const count = (): void => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  pour(Readable.from(chunks), sink, clock, 'greedy');
  await ended.promise;
  isOver = true;

  expect(text).toBe(chunks.join(''));
  expect(turns.size).toBeGreaterThan(1);
});

test.each([2_000, 500_000])(
  'a response of %i bytes that has arrived is passed on when its turn comes',
  async (length) => {
    const server = createServer((_request, response) => response.end('x'.repeat(length)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const clock = await contended({ nowMs: 0 });
    const { port } = server.address() as AddressInfo;
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get({ port, host: '127.0.0.1', agent }, resolve).on('error', reject),
    );
    let bytes = 0;
    const outcome = await new Promise<string>((resolve) => {
      const sink: StreamSink = {
        bytesPending: 0,
        write: (chunk) => (bytes += chunk.length),
        drained: () => undefined,
        onClose: () => undefined,
        end: () => resolve('ended'),
        abort: () => resolve('aborted'),
      };
      pour(answer, sink, clock, 'greedy');
    });
    expect([outcome, bytes]).toEqual(['ended', length]);
  },
);

/** A clock by which a user has had more than its share. */
async function contended(time: { nowMs: number }): Promise<Clock> {
  const clock: Clock = Object.assign(Object.create(systemClock), { monotonic: () => time.nowMs });
  for (const user of ['other', 'greedy']) {
    noteServed(clock, user, time.nowMs);
    await nextSlice(clock, user);
    time.nowMs += user === 'greedy' ? 5 : 0.01;
  }
  await nextTurn();
  return clock;
}
