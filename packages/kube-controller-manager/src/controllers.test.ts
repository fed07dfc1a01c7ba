import { expect, test } from 'vitest';
import { controllers, enabledControllers, unbuiltControllers } from './controllers.ts';

const namesFor = (...wanted: string[]) => enabledControllers(wanted).map(({ name }) => name);

test('a star stands for all controllers that are on by default', () => {
  const byDefault = controllers.filter(
    ({ offByDefault, featureGates }) => !offByDefault && featureGates === undefined,
  );

  expect(namesFor('*')).toEqual(byDefault.map(({ name }) => name));
});

test('a controller behind feature gates is there once all of them are on', () => {
  const name = 'storageversion-garbage-collector-controller';
  const withFeatures = (...on: string[]) => enabledControllers(['*'], (gate) => on.includes(gate));
  expect(withFeatures('APIServerIdentity').some((one) => one.name === name)).toBe(false);
  expect(withFeatures('APIServerIdentity', 'StorageVersionAPI').some((one) => one.name === name)).toBe(true);
});

test('a minus takes one away, under its old name too', () => {
  expect(namesFor('*', '-job-controller')).not.toContain('job-controller');
  expect(namesFor('*', '-deployment')).not.toContain('deployment-controller');
});

test('the first mention of a controller counts', () => {
  expect(namesFor('job-controller', '-job-controller')).toEqual(['job-controller']);
  expect(namesFor('-job-controller', 'job-controller')).toEqual([]);
});

test('an unknown name is refused, one that is only not built here is not', () => {
  expect(() => namesFor('*', '-no-such')).toThrow('"no-such" is not in the list of known controllers');
  for (const name of unbuiltControllers) expect(namesFor(name)).toEqual([]);
});

test('no controller is both built and listed as not built', () => {
  expect(controllers.filter(({ name }) => unbuiltControllers.has(name))).toEqual([]);
});
