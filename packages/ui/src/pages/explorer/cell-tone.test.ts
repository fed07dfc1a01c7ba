import { expect, test } from 'vitest';
import { toneOfCell } from './cell-tone.ts';

test.each([
  ['Running', '1/1', 'ok'],
  ['Running', '0/1', 'warn'],
  ['Completed', '0/1', 'idle'],
  ['CrashLoopBackOff', '0/1', 'bad'],
  ['Ready,SchedulingDisabled', undefined, 'warn'],
  ['2/3', undefined, 'warn'],
  ['anything', undefined, undefined],
])('%s with %s ready is %s', (content, ready, tone) => {
  expect(toneOfCell(content, ready)).toBe(tone);
});
