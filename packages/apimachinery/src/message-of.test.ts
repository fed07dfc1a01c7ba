import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { messageOf } from './message-of.ts';

test('any thrown value has a message', () => {
  expect(messageOf(new RangeError('too far'))).toBe('too far');
  expect(messageOf(new DOMException('stopped', 'AbortError'))).toBe('stopped');
  expect(messageOf(runInNewContext(`new TypeError('of another realm')`))).toBe('of another realm');
  expect(messageOf({ message: 'plain' })).toBe('plain');
  expect(messageOf('a text')).toBe('a text');
  expect(messageOf(undefined)).toBe('undefined');
  expect(messageOf(null)).toBe('null');
  expect(messageOf({ message: 7 })).toBe('[object Object]');
});
