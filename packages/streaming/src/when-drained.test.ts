import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { whenDrained } from './when-drained.ts';
import { writerTo } from './writer-to.ts';

test('any number of writers wait for a stream with one listener, and all go on when it drains', async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  const write = writerTo(stream);
  const writes = Array.from({ length: 30 }, () => write(Buffer.from('text')));
  expect(writes.every((written) => written instanceof Promise)).toBe(true);
  expect(stream.listenerCount('drain')).toBe(1);

  stream.resume();
  await Promise.all(writes);
  expect(stream.listenerCount('drain')).toBe(0);
});

test('who is held up again waits for the next time; when the stream is gone, nobody waits', () => {
  const stream = new PassThrough();
  const calls: string[] = [];
  whenDrained(stream, () => {
    calls.push('first');
    whenDrained(stream, () => calls.push('again'));
  });
  stream.emit('drain');
  expect(calls).toEqual(['first']);
  stream.emit('close');
  expect(calls).toEqual(['first', 'again']);
});
