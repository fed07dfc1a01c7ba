import { expect, test } from 'vitest';
import { systemClock } from '@coxswain/apimachinery';
import { Expectations } from './expectations.ts';

test('a deletion that is seen twice does not count for another', () => {
  const expectations = new Expectations(systemClock);
  expectations.expectDeletions('default/web', ['default/a', 'default/b']);

  for (let seen = 0; seen < 2; seen++) expectations.deletionObserved('default/web', 'default/a');
  expectations.deletionObserved('default/web', 'default/other');
  expect(expectations.satisfied('default/web')).toBe(false);

  expectations.deletionObserved('default/web', 'default/b');
  expect(expectations.satisfied('default/web')).toBe(true);
});
