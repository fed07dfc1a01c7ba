import { expect, test } from 'vitest';
import { unknownStep } from './step-names.ts';

test.each([
  'encode',
  'admission',
  'admission/mutate',
  'admission/validate/PodSecurity',
  'PodSecurity',
  'deny.example.com',
  'bind',
  'storage.transact',
  'server/aggregator',
])('%s may be the name of a step', (name) => {
  expect(unknownStep(name)).toBeUndefined();
});

test.each([
  ['encod', 'no step is called "encod"; did you mean "encode"?'],
  ['storage.transac', 'no step is called "storage.transac"; did you mean "storage.transact"?'],
  ['scheduel/bind', 'no step is called "scheduel/bind"; did you mean "schedule/bind"?'],
  ['nonsense', 'no step is called "nonsense"'],
])('%s is refused', (name, problem) => {
  expect(unknownStep(name)).toBe(problem);
});
