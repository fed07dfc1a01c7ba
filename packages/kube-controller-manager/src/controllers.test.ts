import { expect, test } from 'vitest';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { versionNamed } from '@coxswain/component-base/effective-version.ts';
import { controllers, enabledControllers, unbuiltControllers } from './controllers.ts';

const namesFor = (...wanted: string[]) => enabledControllers(wanted).map(({ name }) => name);

test('a star stands for all controllers that are on by default', () => {
  const { enabled } = featureGates([]);
  const byDefault = controllers.filter(
    ({ offByDefault, featureGates: gates = [] }) => !offByDefault && gates.every(enabled),
  );

  expect(namesFor('*')).toEqual(byDefault.map(({ name }) => name));
});

test('a controller behind feature gates runs only if all of them are enabled', () => {
  const name = 'storageversion-garbage-collector-controller';
  const withFeatures = (...on: string[]) => enabledControllers(['*'], (gate) => on.includes(gate));
  expect(withFeatures('APIServerIdentity').some((one) => one.name === name)).toBe(false);
  expect(withFeatures('APIServerIdentity', 'StorageVersionAPI').some((one) => one.name === name)).toBe(true);
});

test('a controller of a feature that came later is not there', () => {
  const namesAt = (version: string) =>
    enabledControllers(['*'], featureGates([], { version: versionNamed(version) }).enabled).map(
      ({ name }) => name,
    );
  const later = [
    'volumeattributesclass-protection-controller',
    'resourceclaim-controller',
    'device-taint-eviction-controller',
  ];

  expect(later.map((name) => namesAt('1.33').includes(name))).toEqual([false, false, false]);
  expect(later.map((name) => namesAt('1.34').includes(name))).toEqual([true, true, false]);
  expect(later.map((name) => namesAt('1.36').includes(name))).toEqual([true, true, true]);
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
