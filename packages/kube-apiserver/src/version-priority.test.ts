import { expect, test } from 'vitest';
import { compareVersions } from './version-priority.ts';

test('versions in the order of preference', () => {
  const versions = [
    'foo1',
    'v1alpha1',
    'v1',
    'v2beta1',
    'v10',
    'v2',
    'v1beta2',
    'foo10',
    'v11alpha2',
    'v3beta1',
  ];
  expect(versions.sort(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v3beta1',
    'v2beta1',
    'v1beta2',
    'v11alpha2',
    'v1alpha1',
    'foo1',
    'foo10',
  ]);
});
