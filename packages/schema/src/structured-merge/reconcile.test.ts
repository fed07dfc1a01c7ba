import { expect, test } from 'vitest';
import { atomicList, atomicMap, map, optional, listSet, string, struct } from '../index.ts';
import { reconciled } from './reconcile.ts';

const noted = {
  'f:labels': { '.': {}, 'f:a': {} },
  'f:names': { 'v:"x"': {} },
  'f:whole': {},
  'f:gone': { 'f:deep': {} },
};

test('owners of a part of what is now atomic own the whole', () => {
  const type = struct('test.Atomic', {
    labels: optional(1, atomicMap(string)),
    names: optional(2, atomicList(string)),
    whole: optional(3, atomicMap(string)),
  });
  expect(reconciled(type, noted)).toEqual({
    'f:labels': {},
    'f:names': {},
    'f:whole': {},
    'f:gone': { 'f:deep': {} },
  });
});

test('a set that agrees with the type stays the same', () => {
  const type = struct('test.Granular', {
    labels: optional(1, map(string)),
    names: optional(2, listSet(string)),
    whole: optional(3, map(string)),
  });
  expect(reconciled(type, noted)).toBe(noted);
});
