import { UnreadBytes } from '@coxswain/http2';
import { expect, test } from 'vitest';
import { LaggingStream } from './unread-bodies.ts';

const kibibytes = (count: number): number => count * 1024;

function streamsOver(bytesMax: number) {
  const all = new UnreadBytes(bytesMax);
  const givenUp: string[] = [];
  const read = new Map<string, () => void>();
  const open = (name: string) => {
    const stream = new LaggingStream(() => givenUp.push(name), all);
    return { pending: (bytes: number) => stream.note(bytes, (callback) => read.set(name, callback)) };
  };
  return { all, givenUp, read, open };
}

test('of streams that are not read, those that lag behind longest are given up', () => {
  const { givenUp, open } = streamsOver(kibibytes(1_000));
  for (const name of ['a', 'b', 'c']) open(name).pending(kibibytes(400));

  expect(givenUp).toEqual(['a']);
});

test('what is pending counts as it grows, until all of it was read', () => {
  const { all, read, open } = streamsOver(kibibytes(1_000));
  const stream = open('a');
  const counts = [10, 100, 150, 250, 300].map((count) => {
    stream.pending(kibibytes(count));
    return all.bytes / 1024;
  });
  expect(counts).toEqual([0, 100, 100, 250, 250]);

  read.get('a')!();
  expect(all.bytes).toBe(0);
  stream.pending(kibibytes(80));
  expect(all.bytes).toBe(kibibytes(80));
});
