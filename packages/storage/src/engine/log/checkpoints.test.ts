import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@coxswain/apimachinery';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LmdbTable } from '../lmdb/lmdb-table.ts';
import { MvccEngine } from '../mvcc-engine.ts';
import { LoggedTable, checkpointBoundsDefault, type BaseTable } from './logged-table.ts';
import { DiskPace } from './disk-pace.ts';
import { Overlay } from './overlay.ts';
import { WriteAheadLog, readLog } from './write-ahead-log.ts';

let directory: string;
let clock: ManualClock;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'coxswain-checkpoints-'));
  clock = new ManualClock();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Tables on a disk that can be made to fail. */
class FailingTables extends LmdbTable implements BaseTable {
  failure: Error | undefined;
  attempts = 0;

  override commit(...change: Parameters<LmdbTable['commit']>): Promise<void> {
    this.attempts++;
    return this.failure === undefined ? super.commit(...change) : Promise.reject(this.failure);
  }
}

function openEngine(): { engine: MvccEngine; tables: FailingTables } {
  const tables = new FailingTables(directory, 'relaxed', clock);
  const found = readLog(directory, tables.logged, tables.superblock.state);
  const log = WriteAheadLog.open(directory, 'relaxed', found, clock, tables.superblock);
  const overlay = new Overlay((key) => tables.get(key));
  const table = new LoggedTable(tables, overlay, log, clock, checkpointBoundsDefault);
  return { engine: new MvccEngine(table, { clock, historyMsMax: 0 }), tables };
}

const put = (engine: MvccEngine, key: string) =>
  engine.transact({ success: [{ kind: 'put', key, value: Buffer.from(key) }] });

/** The tables respond from a thread of their own. */
const soon = { timeout: 5_000, interval: 5 };

describe('a checkpoint', () => {
  test('is made after half a minute, however little is waiting', async () => {
    const { engine, tables } = openEngine();
    await put(engine, '/a');
    await clock.advance(29_000);
    expect(tables.get('/a')).toBeUndefined();
    await clock.advance(1_000);

    await expect.poll(() => tables.get('/a'), soon).toBeDefined();
    await clock.advance(20);
    expect(clock.pending).toBe(0);
    await engine.close();
  });

  test('that fails is retried with growing delays, while reads and writes continue and health reports it', async () => {
    const { engine, tables } = openEngine();
    tables.failure = new Error('input/output error');
    await put(engine, '/a');
    await clock.advance(30_000);
    await expect.poll(() => engine.problem, soon).toBe('the last checkpoint failed: input/output error');
    const after: number[] = [];
    for (const delayMs of [500, 1_000, 2_000, 4_000]) {
      const { attempts } = tables;
      await clock.advance(delayMs - 1);
      after.push(tables.attempts - attempts);
      await clock.advance(1);
      await expect.poll(() => tables.attempts, soon).toBe(attempts + 1);
      await expect.poll(() => clock.pending, soon).toBe(1);
    }
    expect(after).toEqual([0, 0, 0, 0]);
    await put(engine, '/b');
    expect(engine.get('/a')).toBeDefined();

    tables.failure = undefined;
    await clock.advance(8_000);
    await expect.poll(() => tables.get('/b'), soon).toBeDefined();
    await expect.poll(() => engine.problem, soon).toBeUndefined();
    await engine.close();
  });

  test('leaves no timer behind when the store is closed', async () => {
    const { engine } = openEngine();
    await put(engine, '/a');
    await engine.close();

    expect(clock.pending).toBe(0);
  });
});

test("pages read from the file do not count as the process's memory for long", async () => {
  const { engine, tables } = openEngine();
  const value = Buffer.alloc(1024 * 1024, 'x');
  for (let i = 0; i < 100; i++) {
    await engine.transact({ success: [{ kind: 'put', key: `/large/${i}`, value }] });
  }
  await engine.compact(engine.revision);
  const read = (): number => engine.range({ start: '/large/', end: '/large0' }).entries.length;
  expect(read()).toBe(100);
  const mapped = (): number => {
    const status = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
    const ours = status.filter((mapping) => mapping.includes(`${directory}/data.mdb\n`));
    return ours.reduce((sum, mapping) => sum + Number(/^Rss:\s+(\d+)/m.exec(mapping)![1]) / 1024, 0);
  };
  // Only Linux reports it.
  if (process.platform === 'linux') await expect.poll(mapped, soon).toBeLessThan(20);
  expect(read()).toBe(100);
  expect(Buffer.from(tables.get('/large/7')!.value).equals(value)).toBe(true);
  await put(engine, '/after');
  await engine.close();
});

describe('a disk', () => {
  const small = { commits: [{ revision: 2, events: [] }], leases: [] };
  const write = async (pace: DiskPace, ms: number): Promise<void> => {
    const isWaitedFor = pace.isWaitedFor(small);
    const startMs = pace.begin();
    await clock.advance(ms);
    pace.end(startMs, isWaitedFor);
  };
  const writeQuickly = async (pace: DiskPace): Promise<void> => {
    for (let i = 0; i < 4; i++) await write(pace, 0.1);
  };

  test('is waited for while it is quick', async () => {
    const pace = new DiskPace(clock);
    expect(pace.isWaitedFor(small)).toBe(false);
    await writeQuickly(pace);
    expect(pace.isWaitedFor(small)).toBe(true);
    await write(pace, 3);
    expect(pace.isWaitedFor(small)).toBe(false);
    await writeQuickly(pace);
    expect(pace.isWaitedFor(small)).toBe(true);
  });

  test('that stopped answering once stops the process seldom: after a minute, then two', async () => {
    const pace = new DiskPace(clock);
    for (const pauseMs of [60_000, 120_000, 240_000]) {
      await writeQuickly(pace);
      expect(pace.isWaitedFor(small)).toBe(true);
      await write(pace, 5_000);
      await writeQuickly(pace);
      await clock.advance(pauseMs - 1_000);
      expect(pace.isWaitedFor(small)).toBe(false);
      await clock.advance(1_000);
    }
  });
});
