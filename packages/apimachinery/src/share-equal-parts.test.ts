import { expect, test } from 'vitest';
import { shareEqualParts } from './share-equal-parts.ts';

const pod = (name: string, ready: string) => ({
  metadata: { name, labels: { app: 'web', tier: 'front' } },
  spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }], nodeName: null },
  status: {
    conditions: [
      { type: 'Ready', status: ready },
      { type: 'Initialized', status: 'True' },
    ],
  },
});

test('equal parts become those of the model, and different ones stay', () => {
  const model = pod('a', 'True');
  const fresh = pod('b', 'False');
  const before = structuredClone(fresh);

  expect(shareEqualParts(fresh, model)).toBe(fresh);

  expect(fresh).toEqual(before);
  expect(fresh.spec).toBe(model.spec);
  expect(fresh.metadata.labels).toBe(model.metadata.labels);
  expect(fresh.status.conditions[1]).toBe(model.status.conditions[1]);
  expect(fresh.status.conditions[0]).not.toBe(model.status.conditions[0]);
});

test('the model stays as it was', () => {
  const model = pod('a', 'True');
  const before = structuredClone(model);
  shareEqualParts(pod('b', 'False'), model);
  expect(model).toEqual(before);
});

test('a completely equal value becomes the model', () => {
  const model = pod('a', 'True');
  expect(shareEqualParts(pod('a', 'True'), model)).toBe(model);
});

test.each([
  ['members in another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['a member more', { a: 1 }, { a: 1, b: 2 }],
  ['a member less', { a: 1, b: 2 }, { a: 1 }],
  ['an item more', { list: [1, 2, 3] }, { list: [1, 2] }],
  ['a list for a map', { list: [] }, { list: {} }],
  ['null for a map', { a: null }, { a: {} }],
  ['a member that is undefined for one that is not there', { a: undefined }, { b: undefined }],
  ['bytes', { a: new Uint8Array([1]) }, { a: new Uint8Array([1]) }],
  ['what every object inherits', { a: 1 }, JSON.parse('{"constructor":{"name":"Object"},"a":1}')],
])('%s: another value', (_what, fresh, model) => {
  const before = structuredClone(fresh);
  expect(shareEqualParts<object>(fresh, model)).toBe(fresh);
  expect(fresh).toEqual(before);
  expect(Object.keys(fresh)).toEqual(Object.keys(before));
});

test('a member by the name of __proto__ stays a member', () => {
  const text = '{"__proto__":{"a":1},"b":{"c":1}}';
  const fresh = JSON.parse(text) as object;
  shareEqualParts(fresh, JSON.parse(text) as object);
  expect(JSON.stringify(fresh)).toBe(text);
});
