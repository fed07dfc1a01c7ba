import { expect, test } from 'vitest';
import { unknownName } from './unknown-name.ts';

test.each([
  ['encod', 'no step is called "encod"; did you mean "encode"?'],
  ['admit', 'no step is called "admit"; did you mean "admission/admit"?'],
  ['nonsense', 'no step is called "nonsense"'],
])('of %s only what is near is proposed', (wanted, reported) => {
  expect(unknownName('step', wanted, ['cors', 'encode', 'admission/admit'])).toBe(reported);
});
