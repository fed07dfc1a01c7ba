import { expect, test } from 'vitest';
import { UnreadBytes } from './unread-bytes.ts';

test('of more than there may be, what has waited longest is given up', () => {
  const unread = new UnreadBytes(100);
  const givenUp: string[] = [];
  const add = (name: string, bytes: number) => unread.add(bytes, () => givenUp.push(name));

  add('first', 40);
  const read = add('second', 40);
  add('third', 20);
  expect(givenUp).toEqual([]);

  read();
  add('fourth', 40);
  expect(givenUp).toEqual([]);
  add('fifth', 1);
  expect(givenUp).toEqual(['first']);
  add('larger than all', 1000);
  expect(givenUp).toEqual(['first', 'third', 'fourth', 'fifth']);
});

test('what was given up and is then over counts once', () => {
  const unread = new UnreadBytes(10);
  let isOver = (): void => undefined;
  isOver = unread.add(10, () => isOver());
  let isGivenUp = false;
  unread.add(10, () => (isGivenUp = true));
  isOver();
  unread.add(1, () => undefined);

  expect(isGivenUp).toBe(true);
});
