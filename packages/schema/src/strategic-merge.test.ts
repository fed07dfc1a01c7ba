import { describe, expect, test } from 'vitest';
import { App } from '../test/sample-types.ts';
import { applyStrategicMergePatch, StrategicMergeError } from './index.ts';

const live = {
  metadata: { name: 'a', labels: { x: '1' } },
  spec: {
    replicas: 2,
    containers: [
      { name: 'one', image: 'one:1', args: ['a', 'b'] },
      { name: 'two', image: 'two:1' },
    ],
    finalizers: ['f/a', 'f/b'],
    strategy: { type: 'Rolling', rollingUpdate: { maxSurge: 1 } },
    volumes: [{ name: 'v', configMap: { name: 'c' } }],
  },
};

interface Spec {
  containers: { name: string; image?: string }[];
  finalizers: string[];
  strategy: unknown;
  volumes: unknown;
  tolerations: unknown;
}

const patched = (spec: object): Spec => applyStrategicMergePatch(App.type, live, { spec })['spec'] as Spec;

describe('a patch', () => {
  test('merges maps, and null deletes', () => {
    const result = applyStrategicMergePatch(App.type, live, {
      metadata: { labels: { x: null, y: '2' } },
      spec: { replicas: null },
    });

    expect(result['metadata']).toEqual({ name: 'a', labels: { y: '2' } });
    expect(result['spec']).not.toHaveProperty('replicas');
  });

  test('merges a list by its key, new elements last', () => {
    const { containers } = patched({
      containers: [
        { name: 'two', image: 'two:2' },
        { name: 'new', image: 'new:1' },
      ],
    });

    expect(containers.map(({ name, image }) => `${name} ${image}`)).toEqual([
      'one one:1',
      'two two:2',
      'new new:1',
    ]);
  });

  test('replaces an atomic list and one without strategy', () => {
    expect(patched({ containers: [{ name: 'one', args: ['c'] }] }).containers[0]).toEqual({
      name: 'one',
      image: 'one:1',
      args: ['c'],
    });
    expect(patched({ tolerations: ['t'] }).tolerations).toEqual(['t']);
  });

  test('adds to a list of scalars without doubles', () => {
    expect(patched({ finalizers: ['f/c', 'f/a'] }).finalizers).toEqual(['f/c', 'f/a', 'f/b']);
  });

  test('deletes an element, from a list by key and from a list of scalars', () => {
    expect(
      patched({ containers: [{ $patch: 'delete', name: 'one' }] }).containers.map(({ name }) => name),
    ).toEqual(['two']);
    expect(patched({ '$deleteFromPrimitiveList/finalizers': ['f/a'] }).finalizers).toEqual(['f/b']);
  });

  test('replaces a map or a list as a whole', () => {
    expect(patched({ strategy: { $patch: 'replace', type: 'Recreate' } }).strategy).toEqual({
      type: 'Recreate',
    });
    expect(patched({ containers: [{ $patch: 'replace' }, { name: 'new' }] }).containers).toEqual([
      { name: 'new' },
    ]);
    expect(patched({ strategy: { $patch: 'delete' } }).strategy).toEqual({});
  });

  test('clears members that $retainKeys does not list', () => {
    expect(patched({ strategy: { $retainKeys: ['type'], type: 'Recreate' } }).strategy).toEqual({
      type: 'Recreate',
    });
    expect(
      patched({ volumes: [{ $retainKeys: ['name', 'emptyDir'], name: 'v', emptyDir: {} }] }).volumes,
    ).toEqual([{ name: 'v', emptyDir: {} }]);
  });

  test('orders with $setElementOrder', () => {
    const { containers } = patched({
      '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }],
      containers: [{ name: 'one', image: 'one:2' }],
    });

    expect(containers.map(({ name }) => name)).toEqual(['two', 'one']);
  });

  test('leaves the object and itself as they were', () => {
    const [before, patch] = [structuredClone(live), { spec: { containers: [{ name: 'one', image: 'x' }] } }];
    const patchBefore = structuredClone(patch);
    applyStrategicMergePatch(App.type, live, patch);

    expect(live).toEqual(before);
    expect(patch).toEqual(patchBefore);
  });
});

describe("an invalid patch is refused with upstream's message", () => {
  test.each<[object, string]>([
    [{ containers: [{ image: 'x' }] }, 'map: map[image:x] does not contain declared merge key: name'],
    [{ strategy: { $patch: 'mix' } }, 'unknown patch type: mix in map: map[$patch:mix]'],
    [{ strategy: { $retainKeys: ['type'], rollingUpdate: {} } }, 'invalid patch format of retainKeys'],
    [
      { containers: [{ $patch: 'merge', name: 'one' }] },
      'merging lists cannot yet be specified in the patch',
    ],
    [
      { '$setElementOrder/containers': [{ name: 'two' }], containers: [{ name: 'one' }] },
      "The order in patch list:\n[map[name:one]]\n doesn't match $setElementOrder list:\n[map[name:two]]\n",
    ],
    [{ finalizers: [['x']] }, 'list element types are not identical: [[f/a f/b] [[x]]]'],
  ])('%j', (spec, message) => {
    expect(() => patched(spec)).toThrow(StrategicMergeError);
    expect(() => patched(spec)).toThrow(message);
  });

  test('a map that the kind does not have', () => {
    expect(() => applyStrategicMergePatch(App.type, { ...live, odd: { a: 1 } }, { odd: { b: 1 } })).toThrow(
      'unable to find api field in struct App for the json field "odd"',
    );
  });
});
