import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { checkStore } from '../lmdb/check-store.ts';
import { describeStore } from '../lmdb/describe-store.ts';
import { LmdbStorage, type LmdbOptions } from '../lmdb/lmdb-storage.ts';
import { restoreSnapshot } from '../lmdb/restore-snapshot.ts';
import { prefixRange } from '../../storage.ts';
import { checkpointBoundsDefault } from './logged-table.ts';

let root: string;
let directory: string;
let open: LmdbStorage[];
let images: number;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'coxswain-log-'));
  directory = join(root, 'data');
  open = [];
  images = 0;
});
afterEach(async () => {
  for (const storage of open) await storage.close();
  rmSync(root, { recursive: true, force: true });
});

function openStore(place = directory, options: Partial<LmdbOptions> = {}): LmdbStorage {
  const storage = new LmdbStorage({ directory: place, historyMsMax: 0, ...options });
  open.push(storage);
  return storage;
}

/** What a process that is killed now would leave behind. */
function imageOfNow(): string {
  const image = join(root, `image-${images++}`);
  mkdirSync(image);
  for (const name of readdirSync(directory)) {
    if (/^(data\.mdb|superblock|log\.\d)$/.test(name)) copyFileSync(join(directory, name), join(image, name));
  }
  return image;
}

const put = (storage: LmdbStorage, key: string, value: string) =>
  storage.update(key, () => ({ kind: 'put', value: Buffer.from(value) }));
const text = async (storage: LmdbStorage, key: string, revision?: number) =>
  Buffer.from((await storage.get(key, { revision }))?.value ?? '').toString();

/** Everything readable, including history. */
const contentOf = ({ engine }: LmdbStorage) => ({
  revision: engine.revision,
  hash: engine.hashKv(),
  past: engine.history(prefixRange('/'), engine.compactedRevision).map(({ revision, events }) => ({
    revision,
    events: events.map(({ type, entry, previous }) => [
      type,
      entry.key,
      entry.version,
      previous?.modRevision,
    ]),
  })),
  leases: engine.leases.all().map(({ id }) => [id, engine.leases.keys(id)]),
});

const logFile = (place: string): string => join(place, 'log.0');

/** Changes bytes of a file from `at` on. */
function damage(path: string, at: number, bytes: number): void {
  const content = readFileSync(path);
  for (let i = at; i < at + bytes; i++) content[i]! ^= 0xff;
  writeFileSync(path, content);
}

/** The offset in the log of a key's value. */
const placeOf = (place: string, value: string): number => readFileSync(logFile(place)).indexOf(value);

describe('after its process was killed, a store', () => {
  test('has all that was acknowledged, past and leases included', async () => {
    const clock = new ManualClock();
    const storage = openStore(directory, { clock });
    await put(storage, '/a', '1');
    await put(storage, '/a', '2');
    await storage.engine.leases.grant(7n, 60);
    await storage.engine.transact({
      success: [
        { kind: 'put', key: '/leased', value: Buffer.from('x'), leaseId: 7n },
        { kind: 'delete', range: { key: '/a' } },
        { kind: 'put', key: '/empty', value: Buffer.alloc(0) },
      ],
    });
    await put(storage, '/a', 'again');
    const again = openStore(imageOfNow(), { clock });

    expect(contentOf(again)).toEqual(contentOf(storage));
    expect(await text(again, '/a', 3)).toBe('2');
    expect((await put(again, '/b', '1'))!.modRevision).toBe(6);
    expect((await again.get('/a'))!.version).toBe(1);
  });

  test('keeps its state, with or without a checkpoint in progress', async () => {
    const random = seededRandom(3);
    const checkpoints = { ...checkpointBoundsDefault, events: 20, batchEvents: 7 };
    const storage = openStore(directory, { checkpoints });
    for (let round = 0; round < 25; round++) {
      const writes = Array.from({ length: 12 }, () => {
        const key = `/${Math.floor(random.next() * 30)}`;
        return random.next() < 0.2
          ? storage.update(key, () => ({ kind: 'delete' }))
          : put(storage, key, `${round}`.repeat(Math.floor(random.next() * 50)));
      });
      await Promise.all(writes);
      if (round % 8 === 5) await storage.compact(storage.currentRevision - 10);
      const image = imageOfNow();
      expect((await checkStore(image)).problems).toEqual([]);
      const again = openStore(image, { checkpoints });
      expect(contentOf(again)).toEqual(contentOf(storage));
      await again.close();
      expect((await checkStore(image)).problems).toEqual([]);
    }
  });

  test('continues over both files of the log', async () => {
    // Nothing is moved into the tables, so they must not be used.
    const storage = openStore(directory, {
      checkpoints: { ...checkpointBoundsDefault, events: 20 },
    });
    const value = 'v'.repeat(100_000);
    for (let i = 0; i < 120; i++) await put(storage, `/${i}`, value);
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['log.0', 'log.1']));
    const again = openStore(imageOfNow());

    expect(contentOf(again)).toEqual(contentOf(storage));
  });

  test('may be killed again and again', async () => {
    let place = directory;
    for (let round = 0; round < 5; round++) {
      const storage = openStore(place);
      for (let i = 0; i < 3; i++) await put(storage, `/${round}`, String(i));
      expect(storage.currentRevision).toBe(1 + 3 * (round + 1));
      directory = place;
      place = imageOfNow();
    }
    expect((await describeStore(place)).revision).toBe(16);
  });

  test('is described as it is, and not changed by that', async () => {
    const storage = openStore();
    await put(storage, '/a', '1');
    await put(storage, '/b', '1');
    await storage.update('/a', () => ({ kind: 'delete' }));
    await storage.engine.leases.grant(1n, 60);
    const image = imageOfNow();
    const before = readFileSync(logFile(image));

    expect(await describeStore(image)).toMatchObject({ revision: 4, keys: 1, records: 3, leases: 1 });
    expect((await checkStore(image)).problems).toEqual([]);
    expect(readFileSync(logFile(image)).equals(before)).toBe(true);
  });
});

describe('a log', () => {
  const writeThree = async (): Promise<string> => {
    // With a stopped clock, the last acknowledgements are not recorded.
    const storage = openStore(directory, { clock: new ManualClock() });
    for (const value of ['first value', 'second value', 'third value']) await put(storage, '/a', value);
    return imageOfNow();
  };

  test('whose last record is torn at any byte ends before it, and continues there', async () => {
    const whole = await writeThree();
    const end = placeOf(whole, 'third value') + 'third value'.length;
    // The value is followed by the number of lease changes, which is zero.
    const start = placeOf(whole, 'second value') + 'second value'.length + 4;
    for (let at = start; at < end; at += 7) {
      const image = join(root, `torn-${at}`);
      mkdirSync(image);
      for (const name of ['data.mdb', 'superblock']) copyFileSync(join(whole, name), join(image, name));
      const bytes = readFileSync(logFile(whole));
      writeFileSync(logFile(image), bytes.fill(0xa5, at, at + 200));
      const storage = openStore(image);
      expect([storage.currentRevision, await text(storage, '/a')]).toEqual([3, 'second value']);
      await put(storage, '/a', 'another');
      expect(await text(storage, '/a', 3)).toBe('second value');
    }
  });

  test('that is damaged before other records is refused, and reported by a check', async () => {
    const image = await writeThree();
    damage(logFile(image), placeOf(image, 'second value'), 3);
    const problem = `record 2 of ${logFile(image)} is damaged, and later ones are there`;

    expect(() => openStore(image)).toThrow(
      expect.objectContaining({ kind: 'corrupt', message: expect.stringContaining(problem) }),
    );
    expect((await checkStore(image)).problems).toEqual([expect.stringContaining(problem)]);
  });

  test('of something else is refused', async () => {
    const image = await writeThree();
    writeFileSync(logFile(image), 'not a log\n'.repeat(10));

    expect(() => openStore(image)).toThrow(
      expect.objectContaining({ kind: 'corrupt', message: expect.stringContaining('log.0 is damaged') }),
    );
  });

  test.each([
    ['removed', (image: string) => rmSync(logFile(image)), 'log.0 is missing'],
    ['empty', (image: string) => writeFileSync(logFile(image), ''), 'log.0 is damaged'],
    ['cut off', (image: string) => truncateSync(logFile(image), 1000), 'log.0 is cut off (at 1000 bytes)'],
    ['cut off in its head', (image: string) => truncateSync(logFile(image), 20), 'log.0 is damaged'],
    [
      'all zeros',
      (image: string) => writeFileSync(logFile(image), Buffer.alloc(2 ** 20)),
      'log.0 is damaged',
    ],
  ])('that holds what was acknowledged and is %s is missed', async (_, change, problem) => {
    const image = await writeThree();
    change(image);

    const wayOut = `coxswain storage recover ${image} --accept-data-loss`;
    expect(() => openStore(image)).toThrow(new RegExp(`${problem.replaceAll(/[().]/g, '\\$&')}.*${wayOut}`));
    await expect(describeStore(image)).rejects.toThrow(problem);
  });

  test.each([
    ['nothing', ''],
    ['zeros', '\0'.repeat(4096)],
    ['a part of its head', 'coxswain wa'],
  ])('that never held a record may hold %s', async (_, content) => {
    openStore();
    const image = imageOfNow();
    writeFileSync(logFile(image), content);
    const storage = openStore(image);
    await put(storage, '/a', '1');

    expect(storage.currentRevision).toBe(2);
  });

  test('that ends before the last known acknowledgement is refused in any form', async () => {
    const clock = new ManualClock();
    const storage = openStore(directory, { clock });
    await put(storage, '/a', 'first value');
    const earlier = imageOfNow();
    await put(storage, '/a', 'second value');
    await clock.advance(20);
    const problem =
      'the log ends at record 1, but what was written up to record 2 (revision 3) was acknowledged';
    // Recording happens in the background.
    await expect
      .poll(() => {
        const image = imageOfNow();
        copyFileSync(logFile(earlier), logFile(image));
        try {
          return String(openStore(image).currentRevision);
        } catch (failure) {
          return messageOf(failure);
        }
      })
      .toContain(problem);
  });

  test('that lacks records missing from its tables is refused', async () => {
    const storage = openStore();
    for (let i = 0; i < 5; i++) await put(storage, '/a', String(i));
    const later = imageOfNow();
    await storage.engine.defragment();
    await put(storage, '/a', 'last');
    const image = imageOfNow();
    copyFileSync(join(image, 'log.0'), join(later, 'log.0'));
    // A record that the tables lack and later ones depend on.
    damage(join(later, 'log.0'), 36, 200);

    expect(() => openStore(later)).toThrow(expect.objectContaining({ kind: 'corrupt' }));
  });

  test('is removed when its store is closed', async () => {
    const storage = openStore();
    await put(storage, '/a', '1');
    expect(statSync(logFile(directory)).size).toBeGreaterThan(0);
    await storage.close();

    expect(readdirSync(directory).filter((name) => name.startsWith('log'))).toEqual([]);
    expect(await checkStore(directory)).toMatchObject({ entries: 1, problems: [] });
  });

  test('of replaced tables does not affect a restored store', async () => {
    const storage = openStore();
    for (let i = 0; i < 3; i++) await put(storage, '/a', String(i));
    const image = imageOfNow();
    rmSync(join(image, 'data.mdb'));
    const other = openStore(join(root, 'other'));
    await restoreSnapshot(other.engine.snapshot(), image);

    expect(openStore(image).currentRevision).toBe(1);
  });

  test('takes no value of a client for a record', async () => {
    const storage = openStore(directory, { clock: new ManualClock() });
    await put(storage, '/a', '1');
    const record = readFileSync(logFile(directory)).subarray(36, 220);
    await storage.update('/a', () => ({ kind: 'put', value: Buffer.concat([record, record]) }));
    const image = imageOfNow();
    damage(logFile(image), readFileSync(logFile(image)).lastIndexOf(record.subarray(0, 20)) + 100, 300);

    expect(openStore(image).currentRevision).toBe(2);
  });
});
