import { expect, test } from 'vitest';
import { newUid } from './uid.ts';

test('uids are UUIDs of version 4, and no two are the same', () => {
  const uids = Array.from({ length: 2_000 }, newUid);
  for (const uid of uids) {
    expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(uids).size).toBe(uids.length);
});

test('every digit that is free takes every value', () => {
  const uids = Array.from({ length: 2_000 }, newUid);
  const seen = Array.from({ length: 36 }, (_, at) => new Set(uids.map((uid) => uid[at])).size);
  expect(seen.filter((values) => values === 1)).toHaveLength(5);
  expect(seen.filter((values) => values === 4)).toHaveLength(1);
  expect(seen.filter((values) => values === 16)).toHaveLength(30);
});
