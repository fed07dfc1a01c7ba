import { expect, test } from 'vitest';
import type { EndpointSlice } from '../objects.ts';
import { ExpectedSlices } from './expected-slices.ts';

const slice = (uid: string, generation: number): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: uid, uid, generation },
  addressType: 'IPv4',
  endpoints: [],
  ports: [],
});

test('slices are stale until all that was written is seen', () => {
  const expected = new ExpectedSlices();
  expect(expected.areStale('default/web', [])).toBe(false);
  expected.written('default/web', slice('a', 1));
  expect(expected.areStale('default/web', [])).toBe(true);
  expect(expected.areStale('default/web', [slice('a', 1)])).toBe(false);
  expected.written('default/web', slice('a', 2));
  expect(expected.areStale('default/web', [slice('a', 1)])).toBe(true);
  expect(expected.areStale('default/web', [slice('a', 3), slice('b', 1)])).toBe(false);
  expect(expected.areStale('default/other', [])).toBe(false);
});

test('a deleted slice that is still seen is stale until the informer reports its deletion', () => {
  const expected = new ExpectedSlices();
  expected.written('default/web', slice('a', 1));
  expected.removed('default/web', slice('a', 1));
  expect(expected.areStale('default/web', [slice('a', 1)])).toBe(true);
  expect(expected.areStale('default/web', [])).toBe(false);
  expected.seenGone('default/web', slice('a', 1));
  expect(expected.areStale('default/web', [slice('a', 1)])).toBe(false);
});
