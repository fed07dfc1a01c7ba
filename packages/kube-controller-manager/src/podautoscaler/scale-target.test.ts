import { expect, test } from 'vitest';
import { checkSelector } from './scale-target.ts';

test('a scale has its selector as text, or is invalid', () => {
  for (const text of ['', 'app=web', 'tier in (a,b),!old']) expect(() => checkSelector(text)).not.toThrow();

  expect(() => checkSelector('a in b')).toThrow(
    'received an object from a /scale endpoint which was not convertible to autoscaling Scale: ' +
      'failed to parse target selector: couldn\'t parse the selector string "a in b": ' +
      "unable to parse requirement: found 'b' expected: '('",
  );
  expect(() => checkSelector('a>1')).toThrow("isn't supported in label selectors");
});
