import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { JoinedLines } from './joined-lines.ts';

function joined(write: (lines: string) => void) {
  const failed: string[] = [];
  const lines = new JoinedLines({ write, flush: () => Promise.resolve() }, (failure, lost) =>
    failed.push(`${messageOf(failure)}: ${lost}`),
  );
  return { lines, failed };
}

test('lines of one turn are written together, before the next', async () => {
  const written: string[] = [];
  const { lines } = joined((text) => written.push(text));
  lines.write('a\n');
  lines.write('b\n');
  expect(written).toEqual([]);
  await nextTurn();
  expect(written).toEqual(['a\nb\n']);
});

test('lines that could not be written are handed back', async () => {
  const { lines, failed } = joined(() => {
    throw new Error('disk full');
  });
  lines.write('a\n');
  lines.write('b\n');
  await lines.flush();
  expect(failed).toEqual(['disk full: a\nb\n']);
});

test('a line that is too long to wait is written alone, and its writer hears when it is not', () => {
  const written: number[] = [];
  const { lines, failed } = joined((text) => {
    written.push(text.length);
    if (text.length > 1_000) throw new Error('too long');
  });
  lines.write('a\n');
  expect(() => lines.write('x'.repeat(300_000))).toThrow('too long');
  expect(written).toEqual([2, 300_000]);
  expect(failed).toEqual([]);
});
