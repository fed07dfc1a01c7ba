import type { KubeObject } from '@coxswain/apimachinery';
import { expect, onTestFinished, test } from 'vitest';
import { Store } from './store.ts';

const object = (keys: readonly string[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', labels: Object.fromEntries(keys.map((key) => [key, ''])) },
});

const keys = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

const labelled = (): Store<KubeObject> =>
  new Store({ label: ({ metadata }) => Object.keys(metadata.labels ?? {}) });

/** Counts the elements that arrays are searched through. */
function countSearched(): () => number {
  let searched = 0;
  const { includes } = Array.prototype;
  // oxlint-disable no-extend-native -- put back below
  Array.prototype.includes = function (...args) {
    searched += this.length;
    return includes.apply(this, args);
  };
  onTestFinished(() => void (Array.prototype.includes = includes));
  return () => searched;
}

test('an object leaves the index entries that it no longer has', () => {
  const store = labelled();
  store.set(object(['a', 'b']));
  store.set(object(['b', 'c']));
  expect(store.byIndex('label', 'a')).toEqual([]);
  expect(store.byIndex('label', 'b')).toHaveLength(1);
  expect(store.byIndex('label', 'c')).toHaveLength(1);
});

test('replacing an object with many index entries takes time linear in their number', () => {
  const store = labelled();
  store.set(object(keys('a', 1_000)));
  const searched = countSearched();
  store.set(object(keys('a', 1_000)));
  store.set(object(keys('b', 1_000)));
  expect(searched()).toBeLessThan(10_000);
  expect(store.byIndex('label', 'a1')).toEqual([]);
});
