/** Tests of engines beyond the five verbs, and random histories against a model. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine, Operation, OperationResult } from '../src/engine/engine.ts';
import { prefixRange, type EventBatch } from '../src/storage.ts';
import type { EngineOptions } from '../src/engine/mvcc-engine.ts';
import { expectAllSeen, HistoryModel, stepArbitrary, takeStep } from './history-model.ts';
import { upkeepSuite } from './upkeep-suite.ts';
import type { OpenedEngine } from './opened-engine.ts';

export function engineSuite(
  name: string,
  open: (options?: Partial<EngineOptions>) => Promise<OpenedEngine>,
): void {
  upkeepSuite(name, open);

  describe(`${name}, as an engine`, () => {
    let opened: OpenedEngine;
    let engine: Engine;

    beforeEach(async () => {
      opened = await open();
      engine = opened.storage.engine;
    });
    afterEach(async () => {
      await opened.storage.close();
      await opened.dispose?.();
    });

    test('a transaction is one revision, and its operations see those before them', async () => {
      const { results, revision } = await engine.transact({
        success: [
          put('a', '1'),
          put('b', '1'),
          { kind: 'range', range: prefixRange('') },
          remove('a'),
          get('a'),
        ],
      });

      expect(revision).toBe(2);
      expect(results.map(keysOf)).toEqual([['a'], ['b'], ['a', 'b'], ['a'], []]);
      expect(engine.range(all).entries).toMatchObject([{ key: 'b', modRevision: 2, createRevision: 2 }]);
    });

    test('a failed comparison carries out the other side', async () => {
      await engine.transact({ success: [put('a', '1')] });
      const { succeeded } = await engine.transact({
        compares: [{ range: { key: 'a' }, relation: 'equal', target: { field: 'createRevision', value: 0 } }],
        success: [put('a', 'created')],
        failure: [put('b', 'existed')],
      });

      expect(succeeded).toBe(false);
      expect(engine.range(all).entries.map(({ key }) => key)).toEqual(['a', 'b']);
    });

    test('comparisons of a range hold when they hold for each of its keys', async () => {
      await engine.transact({ success: [put('a', '1'), put('b', '2')] });
      const holds = async (value: string) => {
        const compare = {
          range: all,
          relation: 'less',
          target: { field: 'value', value: bytes(value) },
        } as const;
        return (await engine.transact({ compares: [compare], success: [] })).succeeded;
      };

      expect([await holds('3'), await holds('2')]).toEqual([true, false]);
    });

    test('a transaction that writes nothing takes no revision', async () => {
      await engine.transact({ success: [put('a', '1')] });
      const { revision } = await engine.transact({ success: [get('a'), remove('none')] });
      expect(revision).toBe(2);
      expect(engine.revision).toBe(2);
    });

    test('a failing operation undoes the whole transaction', async () => {
      const transaction = { success: [put('a', '1'), { ...put('b', '1'), leaseId: 77n }] };
      await expect(engine.transact(transaction)).rejects.toMatchObject({ kind: 'no-lease' });
      expect(engine.range(all).count).toBe(0);
      expect((await engine.transact({ success: [put('a', '2')] })).revision).toBe(2);
    });

    test('watchers get the events of a transaction as one batch', async () => {
      const batches: string[][] = [];
      engine.subscribe(all, 1, {
        onEvents: ({ events }) => void batches.push(events.map(({ type, entry }) => `${type} ${entry.key}`)),
        onEnd: () => undefined,
      });
      await engine.transact({ success: [put('a', '1'), put('b', '1')] });
      await engine.transact({ success: [{ kind: 'delete', range: all }] });

      expect(batches).toEqual([
        ['put a', 'put b'],
        ['delete a', 'delete b'],
      ]);
    });

    test('a subscriber that writes keeps the order of revisions for the others', async () => {
      const seen: number[] = [];
      const ignoreEnd = { onEnd: () => undefined };
      let written: Promise<unknown> | undefined;
      engine.subscribe(all, 1, {
        ...ignoreEnd,
        onEvents: () => void (written ??= engine.transact({ success: [put('b', '1')] })),
      });
      engine.subscribe(all, 1, { ...ignoreEnd, onEvents: ({ revision }) => void seen.push(revision) });
      await engine.transact({ success: [put('a', '1')] });
      await written;

      expect(seen).toEqual([2, 3]);
    });

    describe('leases', () => {
      test('end their keys at one revision', async () => {
        await engine.leases.grant(7n, 10);
        await engine.transact({
          success: [{ ...put('a', '1'), leaseId: 7n }, { ...put('b', '1'), leaseId: 7n }, put('c', '1')],
        });
        expect(engine.leases.keys(7n)).toEqual(['a', 'b']);
        await opened.advance(10_001);

        expect(engine.range(all).entries.map(({ key }) => key)).toEqual(['c']);
        expect(engine.revision).toBe(3);
        expect(engine.leases.get(7n)).toBeUndefined();
      });

      test('live on when they are renewed', async () => {
        await engine.leases.grant(7n, 10);
        await engine.transact({ success: [{ ...put('a', '1'), leaseId: 7n }] });
        for (let i = 0; i < 3; i++) {
          await opened.advance(6_000);
          engine.leases.renew(7n);
        }
        expect(engine.get('a')).toBeDefined();
        await opened.advance(10_001);
        expect(engine.get('a')).toBeUndefined();
      });

      test('are revoked with their keys, once', async () => {
        await engine.leases.grant(7n, 10);
        await engine.transact({ success: [{ ...put('a', '1'), leaseId: 7n }] });
        await engine.leases.revoke(7n);

        expect(engine.get('a')).toBeUndefined();
        await expect(engine.leases.revoke(7n)).rejects.toMatchObject({ kind: 'no-lease' });
      });

      test('let go of a key that is written without them', async () => {
        await engine.leases.grant(7n, 10);
        await engine.transact({ success: [{ ...put('a', '1'), leaseId: 7n }] });
        await engine.transact({ success: [put('a', '2')] });
        await engine.leases.revoke(7n);

        expect(engine.get('a')).toMatchObject({ version: 2 });
      });

      test('are granted once', async () => {
        await engine.leases.grant(7n, 10);
        await expect(engine.leases.grant(7n, 10)).rejects.toMatchObject({ kind: 'lease-exists' });
      });
    });
  });

  test(`${name} agrees with a model over random histories`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 60 }), async (steps) => {
        const opened = await open();
        const model = new HistoryModel();
        const { engine } = opened.storage;
        const seen: EventBatch[] = [];
        engine.subscribe(all, 1, { onEvents: (batch) => void seen.push(batch), onEnd: () => undefined });
        try {
          for (const step of steps) await takeStep(step, engine, model);
          expectAllSeen(seen, model);
        } finally {
          await opened.storage.close();
          await opened.dispose?.();
        }
      }),
      { numRuns: 60 },
    );
  });
}

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const all = { start: '\0', end: '\u0100' };
const put = (key: string, value: string) => ({ kind: 'put', key, value: bytes(value) }) as const;
const remove = (key: string): Operation => ({ kind: 'delete', range: { key } });
const get = (key: string): Operation => ({ kind: 'range', range: { key } });

function keysOf(result: OperationResult): string[] {
  if (result.kind === 'put') return [result.entry.key];
  if (result.kind === 'delete') return result.deleted.map(({ key }) => key);
  return result.kind === 'range' ? result.entries.map(({ key }) => key) : [];
}
