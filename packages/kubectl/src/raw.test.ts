import { expect, test } from 'vitest';
import type { CommandContext } from './context.ts';
import { sendRaw } from './raw.ts';

const stopping = new AbortController();

/** A watch that fails after its first event, as the connection does when the command is stopped. */
function watching(signal: AbortSignal, onEvent: () => void, written: unknown[]): CommandContext {
  async function* events() {
    yield 'event';
    onEvent();
    throw new Error('aborted');
  }
  const client = () => Promise.resolve({ stream: () => Promise.resolve(events()) });
  const io = { out: { write: (chunk: unknown) => written.push(chunk) } };
  return { client, io, signal } as unknown as CommandContext;
}

test('a watch that the user stops has not failed', async () => {
  const written: unknown[] = [];
  await sendRaw(
    watching(stopping.signal, () => stopping.abort(), written),
    'GET',
    '/api/v1/pods?watch=true',
  );
  expect(written).toEqual(['event']);
});

test('a watch whose connection breaks has', async () => {
  const { signal } = new AbortController();
  const context = watching(signal, () => undefined, []);
  await expect(sendRaw(context, 'GET', '/api/v1/pods?watch=true')).rejects.toThrow('aborted');
});
