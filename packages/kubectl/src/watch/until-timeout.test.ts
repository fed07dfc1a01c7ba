import { expect, test } from 'vitest';
import { RequestTimeout } from '../api-client.ts';
import type { CommandContext } from '../context.ts';
import { untilTimeout } from './until-timeout.ts';

const lines: string[] = [];
const context = (v: number) =>
  ({ globals: { v }, log: (_: string, line: string) => void lines.push(line) }) as unknown as CommandContext;

async function* failing(failure: Error): AsyncGenerator<number> {
  yield 1;
  throw failure;
}

test('a watch ends without an error when the request times out; the log says so from verbosity 5 on', async () => {
  expect(await Array.fromAsync(untilTimeout(context(4), failing(new RequestTimeout())))).toEqual([1]);
  expect(lines).toEqual([]);
  expect(await Array.fromAsync(untilTimeout(context(5), failing(new RequestTimeout())))).toEqual([1]);
  expect(lines).toEqual([expect.stringContaining('Unable to decode an event from the watch stream')]);
});

test('a watch that fails otherwise reports it', async () => {
  const events = untilTimeout(context(0), failing(new Error('connection reset')));
  await expect(Array.fromAsync(events)).rejects.toThrow('connection reset');
});
