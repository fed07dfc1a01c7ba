/** How the connections of one thread share its time, in virtual milliseconds that pass only through work. */
import { systemClock } from '@coxswain/apimachinery';
import { noteServed } from '@coxswain/apimachinery/slices.ts';
import { expect, test } from 'vitest';
import { frameTypes } from './frames/frame.ts';
import { connected } from './testing/connected.ts';

const costMs = 0.2;
/** The maximum duration of a slice while several users are served, including the last step of a neighbour. */
const waitMsMax = 3 * costMs;

/** Users with connections to one thread. Work for them takes time, and nothing else does. */
function thread() {
  let nowMs = 0;
  const clock = { ...systemClock, monotonic: () => nowMs };
  const servedMs = new Map<string, number>();
  const open = (user: string, answerBytes: number) =>
    connected({
      clock,
      owner: () => user,
      onStream(stream) {
        noteServed(clock, user, nowMs);
        nowMs += costMs;
        servedMs.set(user, (servedMs.get(user) ?? 0) + costMs);
        stream.respond(200, {});
        stream.write(Buffer.alloc(answerBytes, 'x'));
        stream.end();
      },
    });
  return { open, nowMs: () => nowMs, servedMs };
}

type Client = ReturnType<typeof connected>;

const isAnswered = (client: Client, id: number) =>
  client.until(
    ({ type, streamId, flags }) => type === frameTypes.data && streamId === id && (flags & 1) === 1,
  );

const requests = 100;

const together = (client: Client): void => {
  for (let at = 0; at < requests; at++) client.ask(2 * at + 1);
};

const oneAfterTheOther = async (client: Client): Promise<void> => {
  for (let at = 0; at < requests; at++) {
    client.ask(2 * at + 1);
    await isAnswered(client, 2 * at + 1);
  }
};

test.each([
  ['sends many requests together', together, 10],
  ['asks for many long answers', together, 60_000],
  ['asks on many connections', oneAfterTheOther, 10],
])('a user waits for no more than a slice of another one, who %s', async (_, askAll, answerBytes) => {
  const { open, nowMs, servedMs } = thread();
  const modest = open('modest', 10);
  const greedy = Array.from({ length: 20 }, () => open('greedy', answerBytes));
  const waitedMs: number[] = [];
  modest.ask(1);
  await isAnswered(modest, 1);
  const asked = greedy.map((client) => askAll(client));
  for (let at = 1; at <= requests; at++) {
    const sinceMs = nowMs();
    modest.ask(2 * at + 1);
    await isAnswered(modest, 2 * at + 1);
    waitedMs.push(nowMs() - sinceMs - costMs);
  }
  const [modestPart, greedyPart] = ['modest', 'greedy'].map((user) => servedMs.get(user)! / nowMs());
  await Promise.all(asked);

  // Initially it is not known that several users compete for the thread.
  expect(Math.max(...waitedMs.slice(2))).toBeLessThanOrEqual(waitMsMax);
  expect(modestPart).toBeGreaterThan(1 / 3);
  expect(greedyPart).toBeGreaterThan(1 / 3);
});
