import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { TurnPace } from './turn-pace.ts';

function paced() {
  const clock = new ManualClock();
  let ends: (() => void)[] = [];
  const pace = new TurnPace(clock, (callback) => void ends.push(callback));
  /** Starts as many of `count` requests as may start; each takes so long, and then the turn is over. */
  const turn = async (count: number, costMs: number): Promise<number> => {
    let started = 0;
    while (started < count && pace.isOpen) {
      pace.note(clock.monotonic());
      started++;
    }
    await clock.advance(started * costMs);
    const ending = ends;
    ends = [];
    for (const end of ending) end();
    return started;
  };
  return { clock, pace, turn };
}

test('requests that cost little start as they come', async () => {
  const { turn } = paced();

  for (let turns = 0; turns < 20; turns++) expect(await turn(40, 0.03)).toBe(40);
});

test('after turns with many that cost much, fewer start in one', async () => {
  const { turn } = paced();
  const started: number[] = [];

  for (let turns = 0; turns < 10; turns++) started.push(await turn(100, 1));

  expect(started[0]).toBe(100);
  expect(started.at(-1)).toBeLessThanOrEqual(48);
});

test('one turn that takes long changes little, many do', async () => {
  const { turn } = paced();
  for (let turns = 0; turns < 10; turns++) await turn(100, 0.03);

  await turn(100, 2);
  expect(await turn(100, 0.03)).toBe(100);
  for (let turns = 0; turns < 40; turns++) await turn(100, 2);
  expect(await turn(100, 2)).toBeLessThan(64);
});

test('turns that take long for other reasons, as on a busy machine, do not bring requests to a halt', async () => {
  const { clock, pace, turn } = paced();
  for (let turns = 0; turns < 10; turns++) await turn(100, 1);
  for (let turns = 0; turns < 40; turns++) {
    pace.whenOpen(() => undefined);
    await clock.advance(50);
    await turn(100, 0.03);
  }

  pace.whenOpen(() => undefined);
  expect(await turn(100, 0.03)).toBeGreaterThanOrEqual(16);
});

test('who waits goes on in the next turn, one after the other in turns', async () => {
  const { pace, turn } = paced();
  for (let turns = 0; turns < 10; turns++) await turn(100, 1);
  const resumed: string[] = [];
  const waiter = (name: string) => {
    const resume = () => {
      if (pace.isOpen) {
        resumed.push(name);
        // It takes all that there is.
        while (pace.isOpen) pace.note(0);
      }
      if (resumed.length < 4) pace.whenOpen(resume);
    };
    pace.whenOpen(resume);
  };
  waiter('a');
  waiter('b');

  for (let turns = 0; turns < 6; turns++) await turn(0, 0);

  expect(resumed).toEqual(['a', 'b', 'a', 'b']);
});

test('when requests cost little again, as many start as before', async () => {
  const { pace, turn } = paced();
  for (let turns = 0; turns < 10; turns++) await turn(100, 1);

  for (let turns = 0; turns < 20; turns++) {
    pace.whenOpen(() => undefined);
    await turn(100, 0.015);
  }

  expect(await turn(100, 0.015)).toBe(100);
});
