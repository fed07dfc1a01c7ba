import { ManualClock } from '@coxswain/apimachinery';
import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../suite/engine-suite.ts';
import { prefixRange } from '../storage.ts';
import { EngineStorage } from './engine-storage.ts';
import { MemoryTable } from './memory/memory-table.ts';
import { MvccEngine } from './mvcc-engine.ts';
import type { CommitGroup, Table } from './table.ts';

/** A table that behaves like a disk: commits become visible later, or fail. */
class LateTable implements Table {
  readonly keyBytesMax = Infinity;
  readonly groups: CommitGroup[] = [];
  readonly #table = new MemoryTable();
  readonly #finish: ((failure?: Error) => void)[] = [];
  readonly #automatic: boolean;

  constructor(automatic = false) {
    this.#automatic = automatic;
  }

  get opened() {
    return this.#table.opened;
  }
  get = (key: string) => this.#table.get(key);
  scan: Table['scan'] = (range, visit) => this.#table.scan(range, visit);
  count: Table['count'] = (range) => this.#table.count(range);
  history: Table['history'] = (range, after, until) => this.#table.history(range, after, until);
  compact: Table['compact'] = (revision) => this.#table.compact(revision);
  setAlarms: Table['setAlarms'] = (alarms) => this.#table.setAlarms(alarms);
  defragment: Table['defragment'] = () => this.#table.defragment();
  view: Table['view'] = () => this.#table.view();
  size = () => this.#table.size();
  close = () => this.#table.close();

  commit(group: CommitGroup): Promise<void> {
    this.groups.push(group);
    if (this.#automatic) {
      // Applied before it is reported as durable, as a database does.
      this.#table.commit(group);
      return new Promise((resolve) => void setImmediate(resolve));
    }
    return new Promise((resolve, reject) => {
      this.#finish.push((failure) => {
        if (failure !== undefined) return reject(failure);
        this.#table.commit(group);
        resolve();
      });
    });
  }

  async finish(failure?: Error): Promise<void> {
    this.#finish.shift()!(failure);
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

engineSuite('an engine whose table is slow', async (options) => {
  const clock = new ManualClock();
  const storage = new EngineStorage(new MvccEngine(new LateTable(true), { clock, ...options }), clock);
  return { storage, advance: (ms) => clock.advance(ms) };
});

const openLate = () => {
  const table = new LateTable();
  const clock = new ManualClock();
  return { table, clock, storage: new EngineStorage(new MvccEngine(table, { clock }), clock) };
};

const text = (entry: { value: Uint8Array } | undefined) => entry && new TextDecoder().decode(entry.value);
const append = (storage: EngineStorage, key: string, more: string) =>
  storage.update(key, (current) => ({
    kind: 'put',
    value: new TextEncoder().encode((text(current) ?? '') + more),
  }));

describe('while a write is on its way to the disk', () => {
  test('readers see the previous value, and the next write the pending one', async () => {
    const { table, storage } = openLate();
    const first = append(storage, '/a', '1');
    const second = append(storage, '/a', '2');
    expect(await storage.get('/a')).toBeUndefined();
    expect((await storage.list(prefixRange('/'))).count).toBe(0);

    await table.finish();
    expect(text(await first)).toBe('1');
    expect(text(await storage.get('/a'))).toBe('1');
    expect(await storage.revision()).toBe(2);

    await table.finish();
    expect(text(await second)).toBe('12');
    expect(text(await storage.get('/a'))).toBe('12');
  });

  test('those that come meanwhile are stored together', async () => {
    const { table, storage } = openLate();
    const writes = ['/a', '/b', '/c', '/d'].map((key) => append(storage, key, '1'));
    await table.finish();
    await table.finish();
    await Promise.all(writes);

    expect(table.groups.map(({ commits }) => commits.length)).toEqual([1, 3]);
  });

  test('watchers are notified only when it is durable', async () => {
    const { table, storage } = openLate();
    const seen: number[] = [];
    storage.subscribe(prefixRange('/'), 1, {
      onEvents: ({ revision }) => void seen.push(revision),
      onEnd: () => undefined,
    });
    const write = append(storage, '/a', '1');
    expect(seen).toEqual([]);
    await table.finish();
    await write;
    expect(seen).toEqual([2]);
  });

  test('a disk that fails undoes it and everything decided upon it', async () => {
    const { table, storage } = openLate();
    const writes = Promise.allSettled([append(storage, '/a', '1'), append(storage, '/a', '2')]);
    await table.finish(new Error('no space left'));

    for (const { status, reason } of (await writes) as PromiseRejectedResult[]) {
      expect(status).toBe('rejected');
      expect(reason).toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('no space left'),
      });
    }
    const next = append(storage, '/a', '3');
    await table.finish();
    expect(text(await next)).toBe('3');
    expect((await next)!.modRevision).toBe(2);
  });

  test.each([
    ['keeps what it finds', () => ({ kind: 'keep' as const })],
    [
      'is refused for what it finds',
      () => {
        throw new Error('it is there already');
      },
    ],
  ])('one that %s is answered when that is durable', async (_, change) => {
    const { table, storage } = openLate();
    const first = append(storage, '/a', '1');
    let isAnswered = false;
    const second = storage.update('/a', change).then(
      () => (isAnswered = true),
      () => (isAnswered = true),
    );
    await new Promise<void>((resolve) => void setImmediate(resolve));
    expect(isAnswered).toBe(false);

    await table.finish();
    await table.finish();
    await Promise.all([first, second]);
    expect(text(await storage.get('/a'))).toBe('1');
  });

  test('closing waits for it', async () => {
    const { table, storage } = openLate();
    const write = append(storage, '/a', '1');
    const closed = storage.close();
    await table.finish();

    expect(text(await write)).toBe('1');
    await closed;
  });
});

test('the past is forgotten after its time', async () => {
  const clock = new ManualClock();
  const storage = new EngineStorage(
    new MvccEngine(new MemoryTable(), { clock, historyMsMax: 60_000 }),
    clock,
  );
  await append(storage, '/a', '1');
  await clock.advance(59_000);
  await append(storage, '/a', '2');
  expect(text(await storage.get('/a', { revision: 2 }))).toBe('1');

  await clock.advance(20_000);
  await append(storage, '/a', '3');
  await expect(storage.get('/a', { revision: 1 })).rejects.toMatchObject({ kind: 'compacted' });
  expect(text(await storage.get('/a', { revision: 3 }))).toBe('12');
  await storage.close();
});

test('a long past is limited by its number of revisions every minute', async () => {
  const clock = new ManualClock();
  const options = { clock, historyMsMax: 3_600_000, historyRevisionsMax: 2 };
  const storage = new EngineStorage(new MvccEngine(new MemoryTable(), options), clock);
  for (const one of ['1', '2', '3', '4']) await append(storage, '/a', one);
  await clock.advance(61_000);
  await expect(storage.get('/a', { revision: 1 })).rejects.toMatchObject({ kind: 'compacted' });
  expect(text(await storage.get('/a', { revision: 3 }))).toBe('12');
  await storage.close();
});

test('setting the clock of the machine ends no lease, and lengthens none', async () => {
  /** A clock that can be set. */
  class SettableClock extends ManualClock {
    setByMs = 0;
    override now = () => super.now() + this.setByMs;
  }
  const clock = new SettableClock();
  const storage = new EngineStorage(new MvccEngine(new MemoryTable(), { clock }), clock);
  const { engine } = storage;
  await engine.leases.grant(7n, 10);
  await engine.transact({ success: [{ kind: 'put', key: 'a', value: new Uint8Array(1), leaseId: 7n }] });
  clock.setByMs = 24 * 3600 * 1000;
  await clock.advance(6_000);
  expect(engine.get('a')).toBeDefined();

  engine.leases.renew(7n);
  clock.setByMs = -24 * 3600 * 1000;
  await clock.advance(6_000);
  expect(engine.get('a')).toBeDefined();
  await clock.advance(4_001);
  expect(engine.get('a')).toBeUndefined();
  await storage.close();
});

test('a lease and its keys go in one group', async () => {
  const { table, clock, storage } = openLate();
  const { engine } = storage;
  const granted = engine.leases.grant(7n, 10);
  await table.finish();
  await granted;
  const written = engine.transact({
    success: [{ kind: 'put', key: 'a', value: new Uint8Array(1), leaseId: 7n }],
  });
  await table.finish();
  await written;
  await clock.advance(10_001);

  const last = table.groups.at(-1)!;
  expect([last.commits.length, last.leases]).toEqual([1, [{ kind: 'remove', id: 7n }]]);
  await table.finish();
  expect(engine.get('a')).toBeUndefined();
});

test('a lease whose end could not be stored ends a second later', async () => {
  const { table, clock, storage } = openLate();
  const { engine } = storage;
  const granted = engine.leases.grant(7n, 10);
  await table.finish();
  await granted;
  await clock.advance(10_001);
  await table.finish(new Error('no space left on device'));
  expect(engine.leases.get(7n)).toBeDefined();
  expect(table.groups.length).toBe(2);

  await clock.advance(1_001);
  await table.finish();
  expect(engine.leases.get(7n)).toBeUndefined();
});

test('a past page without a count equals that with one, and says whether there is more', async () => {
  const engine = new MvccEngine(new MemoryTable(), { clock: new ManualClock() });
  const put = (key: string) => engine.transact({ success: [{ kind: 'put', key, value: Buffer.from(key) }] });
  for (const key of ['/b', '/d', '/f', '/h']) await put(key);
  const { revision } = engine;
  for (const key of ['/a', '/b', '/e']) await put(key);
  await engine.transact({ success: [{ kind: 'delete', range: { start: '/d', end: '/d\0' } }] });

  for (const limit of [1, 2, 3, 4, 5]) {
    const whole = engine.range(prefixRange('/'), { revision, limit });
    const page = engine.range(prefixRange('/'), { revision, limit, isCountless: true });
    expect(page.entries).toEqual(whole.entries);
    expect(page.count > page.entries.length).toBe(whole.count > limit);
  }
});

describe('groups of a table that gathers', () => {
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  class GatheringTable extends LateTable {
    readonly gather = turn;
  }

  /** The number of commits in each group when writers arrive in three turns. */
  async function groupsOf(writersPerTurn: number): Promise<readonly number[]> {
    const table = new GatheringTable(true);
    const engine = new MvccEngine(table, { clock: new ManualClock() });
    const written: Promise<unknown>[] = [];
    const write = (): void => {
      const put = { kind: 'put', key: `key-${written.length}`, value: new Uint8Array(1) } as const;
      written.push(engine.transact({ success: [put] }));
    };
    for (let turns = 0; turns < 3; turns++) {
      for (let writer = 0; writer < writersPerTurn; writer++) write();
      await turn();
    }
    await Promise.all(written);
    await engine.close();
    return table.groups.map(({ commits }) => commits.length);
  }

  test('few writes are stored at the end of their turn', async () => {
    expect((await groupsOf(3))[0]).toBe(3);
  });

  test('a crowd of writers, whose requests take several turns to be read, shares one group', async () => {
    expect(await groupsOf(20)).toEqual([60]);
  });
});
