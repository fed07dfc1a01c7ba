import { systemClock } from '@coxswain/apimachinery';
import { noteServed } from '@coxswain/apimachinery/slices.ts';
import { AllowanceSpent, WorkAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { expect, test } from 'vitest';
import { answerFor } from './answer-for.ts';
import { AnswerTooLong } from './read-answer.ts';
import type { WebhookCaller } from './webhook-caller.ts';

const post = (caller: WebhookCaller, clock = systemClock) => ({
  caller,
  clock,
  endpoint: { origin: 'https://hooks.test', host: 'hooks.test', port: 443, path: '/', authorities: '' },
  body: '{}',
  timeoutMs: 1_000,
});

test('responses that arrive together are processed in turns of their own while others are served', async () => {
  let nowMs = 0;
  const clock = { ...systemClock, after: systemClock.after.bind(systemClock), monotonic: () => nowMs };
  const arrival = Promise.withResolvers<void>();
  const caller: WebhookCaller = {
    send: () => arrival.promise.then(() => ({ status: 200, header: () => undefined, body: '{}' })),
    close: () => undefined,
  };
  let turn = 0;
  const processedIn: number[] = [];
  const all = Array.from({ length: 5 }, async () => {
    await answerFor({ owner: 'a' }, post(caller, clock));
    nowMs += 5;
    processedIn.push(turn);
  });
  noteServed(clock, 'a', nowMs);
  noteServed(clock, 'b', nowMs);
  arrival.resolve();
  const count = (): void => {
    turn++;
    if (processedIn.length < 5) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(all);

  expect(new Set(processedIn).size).toBeGreaterThanOrEqual(4);
});

test('a response beyond the allowance of its request starts the request elsewhere', async () => {
  const caller: WebhookCaller = {
    send: async ({ bytesMax }) => {
      if (bytesMax !== undefined && bytesMax < 100) throw new AnswerTooLong(bytesMax);
      return { status: 200, header: () => undefined, body: '{}' };
    },
    close: () => undefined,
  };
  const asking = (bytes?: number) => {
    const allowance = bytes === undefined ? undefined : new WorkAllowance(systemClock, 3, bytes);
    return answerFor({ owner: 'a', allowance }, post(caller));
  };

  await expect(asking(99)).rejects.toBeInstanceOf(AllowanceSpent);
  expect(await asking(100)).toBe('{}');
  expect(await asking()).toBe('{}');
});
