import { nextTurn } from '@coxswain/apimachinery/next-turn.ts';
import { expect, test } from 'vitest';
import { TurnGate } from './turn-gate.ts';

/** Requests that take a millisecond each; `began` has the turn in which each began. */
function requests(count: number) {
  let ms = 0;
  let turn = 0;
  const began: { request: number; turn: number }[] = [];
  const gate = new TurnGate({ monotonic: () => ms });
  const request = async (number: number) => {
    await gate.pass();
    began.push({ request: number, turn });
    await undefined;
    ms++;
  };
  const done = Promise.all(Array.from({ length: count }, (_, number) => request(number)));
  const countTurns = async () => {
    while (began.length < count) {
      await nextTurn();
      turn++;
    }
    await done;
    return began;
  };
  return { request, countTurns };
}

test('concurrent requests are spread over turns, in order', async () => {
  const began = await requests(100).countTurns();
  expect(began.map(({ request }) => request)).toEqual(Array.from({ length: 100 }, (_, number) => number));
  for (const { length } of Map.groupBy(began, ({ turn }) => turn).values())
    expect(length).toBeLessThanOrEqual(16);
});

test('requests that follow from one another leave room for others', async () => {
  let ms = 0;
  const gate = new TurnGate({ monotonic: () => ms });
  let [made, turns] = [0, 0];
  const chain = async () => {
    while (made < 200) {
      await gate.pass();
      made++;
      ms++;
    }
  };
  const done = chain();
  while (made < 200) {
    await nextTurn();
    turns++;
  }
  await done;
  expect(turns).toBeGreaterThan(200 / 10);
});

test('a few requests do not wait', () => {
  const gate = new TurnGate({ monotonic: () => 0 });
  for (let count = 0; count < 16; count++) expect(gate.pass()).toBeUndefined();
});
