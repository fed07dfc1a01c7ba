import { seededRandom } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { NodePortAllocator, parsePortRange, portRangeText } from './node-port-allocator.ts';

const range = { base: 30_000, size: 40 };
const allocator = () => new NodePortAllocator(range, seededRandom(1));

test.each([
  ['30000-32767', { base: 30_000, size: 2768 }],
  ['30000+100', { base: 30_000, size: 100 }],
  ['30000-29999', undefined],
  ['60000-70000', undefined],
  ['abc', undefined],
])('the range %s', (text, expected) => {
  expect(parsePortRange(text)).toEqual(expected);
});

test('a range is printed by its ends', () => {
  expect(portRangeText(range)).toBe('30000-30039');
});

test('every port is given out once, the reserved ones last', () => {
  const ports = allocator();
  const given = Array.from({ length: range.size }, () => ports.takeAny());
  expect(new Set(given).size).toBe(range.size);
  expect(given.slice(-16).every((port) => port! < 30_016)).toBe(true);
  expect(ports.takeAny()).toBeUndefined();
});

test('a failed write gives its ports back, a good one keeps them', () => {
  const ports = allocator();
  const failed = ports.begin(false);
  expect(failed.take(30_005)).toBeUndefined();
  failed.finish(false);
  const good = ports.begin(false);
  expect(good.take(30_005)).toBeUndefined();
  good.finish(true);
  expect(ports.take(30_005)).toBe('provided port is already allocated');
});

test('a dry run keeps nothing', () => {
  const ports = allocator();
  const dry = ports.begin(true);
  dry.take(30_001);
  dry.finish(true);
  expect(ports.take(30_001)).toBeUndefined();
});
