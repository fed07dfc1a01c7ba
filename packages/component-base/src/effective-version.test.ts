import { expect, test } from 'vitest';
import {
  effectiveVersion,
  ownVersion,
  versionAnswer,
  versionNamed,
  versionProblems,
} from './effective-version.ts';

test('without flags a program is its own version, and goes with the one before', () => {
  expect(effectiveVersion([], [])).toEqual(ownVersion);
  expect(ownVersion).toEqual({ emulated: 36, minCompatibility: 35 });
});

test.each([
  ['1.33', { emulated: 33, minCompatibility: 33 }],
  ['v1.34', { emulated: 34, minCompatibility: 33 }],
  ['kube=1.35', { emulated: 35, minCompatibility: 34 }],
  ['1.36.0', ownVersion],
])('%s goes with the version before, as far back as there is one', (text, expected) => {
  expect(versionNamed(text)).toEqual(expected);
});

test.each([
  [['1.37'], [], 'emulation version 1.37 is not between [1.33, 1.36.0]'],
  [['1.34'], ['1.35'], 'minCompatibilityVersion version 1.35 is not between [1.33, 1.34]'],
  [['1.32'], [], 'emulation version 1.32 is not between [1.33, 1.36.0]'],
])('%j with %j is not possible', (emulated, oldest, problem) => {
  expect(versionProblems(effectiveVersion(emulated, oldest))).toContain(problem);
});

test.each([
  [['foo'], 'could not parse "foo" as version'],
  [['1.34.1'], 'patch version not allowed, got: kube=1.34.1'],
  [['wardle=1.2'], 'component not registered: wardle'],
  [['1.34', 'kube=1.35'], 'duplicate version flag, kube=1.34 and kube=1.35'],
])('%j is refused in the words of the original', (emulated, message) => {
  expect(() => effectiveVersion(emulated, [])).toThrow(new Error(message));
});

test('the answer tells what the program is, and as what it behaves', () => {
  expect(versionAnswer(versionNamed('1.34'))).toMatchObject({
    minor: '36',
    emulationMinor: '34',
    minCompatibilityMinor: '33',
    gitVersion: 'v1.36.3',
  });
});
