import { expect, test } from 'vitest';
import { toneOfCell } from './cell-tone.ts';

test.each([
  ['Running', '1/1', 'ok'],
  ['Running', '0/1', 'warn'],
  ['Completed', '0/1', 'idle'],
  ['CrashLoopBackOff', '0/1', 'bad'],
  ['Ready,SchedulingDisabled', undefined, 'warn'],
  ['2/3', undefined, 'warn'],
  ['3/3', '3', 'ok'],
  ['3/3', '1', 'warn'],
  ['anything', undefined, undefined],
])('%s beside %s is %s', (content, qualifiedBy, tone) => {
  expect(toneOfCell(content, qualifiedBy)).toBe(tone);
});
