import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answerReader } from './read-answer.ts';

/** A sender whose pieces are asked for one after the other. */
function sender(bytesPerPiece: number) {
  const sent = { pieces: 0, isEnded: false };
  let next = Promise.withResolvers<boolean>();
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      while (await next.promise) {
        sent.pieces++;
        next = Promise.withResolvers();
        yield new Uint8Array(bytesPerPiece);
      }
    } finally {
      sent.isEnded = true;
    }
  }
  const send = async (): Promise<void> => {
    next.resolve(true);
    await nextTurn();
  };
  return { sent, pieces: pieces(), send, end: () => next.resolve(false) };
}

test('long answers wait for room, the first one is always read, and short ones never wait', async () => {
  const read = answerReader(250, 10);
  const [first, second, short] = [sender(100), sender(100), sender(10)];
  const [whole, later, brief] = [first, second, short].map(({ pieces }) => read(pieces));
  await first.send();
  await second.send();
  await second.send();
  // Now 200 of 250 bytes are held, and the second answer's next piece waits.
  await second.send();
  for (let piece = 0; piece < 4; piece++) await first.send();
  await short.send();
  short.end();
  expect((await brief!).length).toBe(10);
  expect([first.sent.pieces, second.sent.pieces]).toEqual([5, 2]);

  first.end();
  expect((await whole!).length).toBe(500);
  await second.send();
  second.end();
  expect((await later!).length).toBe(300);
});

test('an answer that waits for room ends with its signal, and leaves the room of the others', async () => {
  const read = answerReader(150, 10);
  const [first, second, third] = [sender(100), sender(100), sender(50)];
  const stop = new AbortController();
  const whole = read(first.pieces);
  await first.send();
  const aborted = read(second.pieces, { signal: stop.signal });
  await second.send();
  stop.abort();
  second.end();
  expect((await aborted).length).toBe(100);

  const later = read(third.pieces);
  await third.send();
  third.end();
  expect((await later).length).toBe(50);
  first.end();
  expect((await whole).length).toBe(100);
});

test('an answer longer than its limit is refused, and its sender stopped', async () => {
  const { pieces, sent, send } = sender(100);
  const refused = expect(answerReader(1_000, 10)(pieces, { bytesMax: 150 })).rejects.toThrow(
    'the answer has more than 150 bytes',
  );
  await send();
  await send();
  await refused;
  expect(sent.isEnded).toBe(true);
});
