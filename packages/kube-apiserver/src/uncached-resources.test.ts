import { expect, test } from 'vitest';
import { uncachedResources } from './uncached-resources.ts';

const secrets = { group: '', resource: 'secrets' };
const deployments = { group: 'apps', resource: 'deployments' };

test('a resource with size 0 has no watch cache', () => {
  const isUncached = uncachedResources(true, ['secrets#0', 'deployments.apps#100']);
  expect(isUncached(secrets)).toBe(true);
  expect(isUncached(deployments)).toBe(false);
});

test('without the watch cache no resource has one', () => {
  expect(uncachedResources(false, [])(deployments)).toBe(true);
});

test.each([
  ['secrets', 'invalid value of watch cache size: secrets'],
  ['secrets#many', 'invalid size of watch cache size: secrets#many'],
  ['secrets#-1', 'watch cache size cannot be negative: secrets#-1'],
])('%s is refused', (size, message) => {
  expect(() => uncachedResources(true, [size])).toThrow(message);
});
