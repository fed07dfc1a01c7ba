import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@coxswain/apimachinery';
import { describe, expect, test } from 'vitest';
import { MemoryStorage } from '../src/engine/memory/memory-storage.ts';
import { LmdbStorage } from '../src/engine/lmdb/lmdb-storage.ts';
import { checkLinearizable } from '../suite/linearizability/checker.ts';
import { registerModel, type RegisterOperation, type Registers } from '../suite/linearizability/registers.ts';
import { cachedRegisters, engineRegisters } from '../suite/linearizability/storage-registers.ts';
import { recordHistory } from '../suite/linearizability/workload.ts';

const keys = 3;
const directory = '/registry/things/';

const verdictOf = async (registers: Registers, seed: number) => {
  const random = seededRandom(seed);
  const history = await recordHistory(registers, { clients: 8, operationsPerClient: 100, keys, random });
  return checkLinearizable(history, registerModel(keys));
};

describe('the checker', () => {
  const model = registerModel(1);
  const write = (value: string): RegisterOperation => ({ kind: 'write', key: 0, value });
  const read = (value: string | undefined): RegisterOperation => ({ kind: 'read', key: 0, value });
  const isLinearizable = (
    ...operations: readonly (readonly [RegisterOperation, number, number])[]
  ): boolean =>
    checkLinearizable(
      operations.map(([operation, calledAt, returnedAt]) => ({ operation, calledAt, returnedAt })),
      model,
    ).linearizable;

  test('takes a read during a write that sees either value', () => {
    expect(isLinearizable([write('1'), 0, 9], [read(undefined), 1, 2], [read('1'), 3, 4])).toBe(true);
  });

  test('refuses a read after a write that does not see it', () => {
    expect(isLinearizable([write('1'), 0, 1], [read(undefined), 2, 3])).toBe(false);
  });

  test('refuses a read that sees less than one before it saw', () => {
    expect(isLinearizable([write('1'), 0, 9], [read('1'), 1, 2], [read(undefined), 3, 4])).toBe(false);
  });

  test('refuses two swaps that found the same', () => {
    const swap = (value: string): RegisterOperation => ({ kind: 'swap', key: 0, value, before: undefined });
    expect(isLinearizable([swap('1'), 0, 8], [swap('2'), 1, 9])).toBe(false);
  });

  test('refuses ranges that show two writes in different orders', () => {
    const all = (...values: string[]): RegisterOperation => ({
      kind: 'read-all',
      values: new Map(values.map((value, key) => [key, value])),
    });
    const history = [
      [{ kind: 'write', key: 0, value: '1' }, 0, 9],
      [{ kind: 'write', key: 1, value: '1' }, 1, 10],
      [all('1', ''), 2, 5],
      [all('', '1'), 3, 6],
    ] as const;
    const operations = history.map(([operation, calledAt, returnedAt]) => ({
      operation,
      calledAt,
      returnedAt,
    }));
    expect(checkLinearizable<RegisterOperation>(operations, registerModel(2)).linearizable).toBe(false);
  });
});

test.each([1, 2, 3])('histories of the memory engine are linearizable (seed %i)', async (seed) => {
  const storage = new MemoryStorage();
  expect(await verdictOf(engineRegisters(storage, directory), seed)).toMatchObject({ linearizable: true });
  await storage.close();
});

describe('on LMDB', () => {
  const onLmdb = async (use: (storage: LmdbStorage) => Promise<void>): Promise<void> => {
    const root = mkdtempSync(join(tmpdir(), 'coxswain-linear-'));
    const storage = new LmdbStorage({ directory: root });
    await use(storage);
    await storage.close();
    rmSync(root, { recursive: true });
  };

  test('histories are linearizable, while the file is defragmented', () =>
    onLmdb(async (storage) => {
      const [verdict] = await Promise.all([
        verdictOf(engineRegisters(storage, directory), 4),
        storage.engine.defragment(),
      ]);
      expect(verdict).toMatchObject({ linearizable: true });
    }));

  test('histories read through the cache are linearizable', () =>
    onLmdb(async (storage) => {
      const registers = cachedRegisters(storage, directory);
      expect(await verdictOf(registers, 5)).toMatchObject({ linearizable: true });
      await registers.stop();
    }));
});

test('a store that sometimes returns outdated values is detected', async () => {
  const storage = new MemoryStorage();
  const honest = engineRegisters(storage, directory);
  let previous: string | undefined;
  let reads = 0;
  const lying: Registers = {
    ...honest,
    async read(key) {
      const value = key === 0 && ++reads % 20 === 0 ? previous : await honest.read(key);
      if (key === 0) previous = value;
      return value;
    },
  };
  expect(await verdictOf(lying, 6)).toMatchObject({ linearizable: false });
  await storage.close();
});
