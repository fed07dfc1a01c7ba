import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, expect, test } from 'vitest';
import { kindOf, makeBeginning } from './create-cluster.ts';
import { saveBeginnings, savedBeginning } from './saved-beginnings.ts';

const directory = await mkdtemp(path.join(os.tmpdir(), 'coxswain-beginnings-'));
afterAll(() => rm(directory, { recursive: true }));

const smallest = { controllers: false, nodes: 0, scheduler: false } as const;
const everything = { start: '', end: '\u{10ffff}' };

test('a beginning is the same when it has been a file', async () => {
  const made = await makeBeginning(smallest);
  await saveBeginnings(directory, { [kindOf(smallest)]: made });

  const read = await savedBeginning(kindOf(smallest), directory);

  expect(read?.nowMs).toBe(made.nowMs);
  expect(read?.snapshot.revision).toBe(made.snapshot.revision);
  const [one, other] = await Promise.all(
    [made, read!].map(({ snapshot }) =>
      new MemoryStorage({}, snapshot.inMemory)
        .list(everything, {})
        .then(({ entries }) => entries.map(({ decoded: _decoded, ...stored }) => stored)),
    ),
  );
  expect(one!.length).toBeGreaterThan(100);
  expect(other).toEqual(one);
});

test('clusters of another kind begin with something else', async () => {
  expect(kindOf({ nodes: 2 })).not.toBe(kindOf({ nodes: 3 }));
  expect(kindOf({ startTime: '2030-01-01' })).not.toBe(kindOf({}));
  expect(await savedBeginning(kindOf({ nodes: 17 }), directory)).toBeUndefined();
});

test('from sources there is none', async () => {
  expect(await savedBeginning(kindOf({}))).toBeUndefined();
});
