import { Readable } from 'node:stream';
import { systemClock, type Clock } from '@coxswain/apimachinery';
import { nextTurn } from '@coxswain/apimachinery/next-turn.ts';
import { nextSlice, noteServed } from '@coxswain/apimachinery/slices.ts';
import type { StreamSink } from '@coxswain/apiserver';
import { expect, test } from 'vitest';
import { pour } from './pour.ts';

test('while others are served, the chunks of a response are passed on in many turns, in order', async () => {
  let nowMs = 0;
  const clock: Clock = Object.assign(Object.create(systemClock), { monotonic: () => nowMs });
  for (const user of ['other', 'greedy']) {
    noteServed(clock, user, nowMs);
    await nextSlice(clock, user);
    nowMs += user === 'greedy' ? 5 : 0.01;
  }
  await nextTurn();
  let turn = 0;
  let text = '';
  const turns = new Set<number>();
  const ended = Promise.withResolvers<void>();
  const sink: StreamSink = {
    bytesPending: 0,
    write: (chunk) => {
      text += new TextDecoder().decode(chunk);
      turns.add(turn);
      nowMs += 1;
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
