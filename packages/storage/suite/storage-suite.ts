/** Tests for every back end of `Storage`. Run with `storageSuite('name', open)` in a test file. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  StorageError,
  prefixRange,
  type Change,
  type Entry,
  type Event,
  type Revision,
  type Storage,
} from '../src/storage.ts';

export interface OpenedStorage {
  readonly storage: Storage;
  /** Advances the clock that leases use. */
  readonly advance: (ms: number) => Promise<void>;
  /** Releases the storage's resources; called after it was closed. */
  readonly dispose?: () => Promise<void>;
}

/** The storage need not be empty: each test uses a directory of its own. */
export function storageSuite(name: string, open: () => Promise<OpenedStorage>): void {
  describe(name, () => {
    let opened: OpenedStorage;
    let storage: Storage;
    let directory: string;

    beforeEach(async () => {
      opened = await open();
      storage = opened.storage;
      directory = `/suite/${testCount++}-${process.pid}/`;
    });
    afterEach(async () => {
      await storage.close();
      await opened.dispose?.();
    });

    const key = (last: string): string => directory + last;
    const put = async (last: string, value: string): Promise<Entry> =>
      (await storage.update(key(last), () => ({ kind: 'put', value: bytes(value) })))!;
    const remove = (last: string): Promise<Entry | undefined> =>
      storage.update(key(last), () => ({ kind: 'delete' }));
    const fails = async (kind: string, act: Promise<unknown>): Promise<void> => {
      await expect(act).rejects.toMatchObject({ name: 'StorageError', kind });
    };
    const all = (): ReturnType<Storage['list']> => storage.list(prefixRange(directory));

    describe('update', () => {
      test('creates a missing key', async () => {
        const before = await storage.revision();
        let seen: Entry | undefined | 'not called' = 'not called';
        const entry = await storage.update(key('a'), (current) => {
          seen = current;
          return { kind: 'put', value: bytes('1') };
        });

        expect(seen).toBeUndefined();
        expect(entry).toMatchObject({
          key: key('a'),
          version: 1,
          createRevision: before + 1,
          modRevision: before + 1,
        });
        expect(await storage.revision()).toBe(before + 1);
        expect(text(await storage.get(key('a')))).toBe('1');
      });

      test('keeps the creation revision and counts the writes of an existing key', async () => {
        const first = await put('a', '1');
        const second = await put('a', '2');

        expect(second).toMatchObject({ createRevision: first.createRevision, version: 2 });
        expect(second.modRevision).toBe(first.modRevision + 1);
        expect(await storage.get(key('a'))).toMatchObject({ version: 2, modRevision: second.modRevision });
      });

      test('deletes, and answers with the last state and the revision of the delete', async () => {
        const first = await put('a', '1');
        const deleted = await remove('a');

        expect(deleted).toMatchObject({ key: key('a'), modRevision: first.modRevision + 1 });
        expect(text(deleted)).toBe('1');
        expect(await storage.get(key('a'))).toBeUndefined();
        expect(await put('a', '2')).toMatchObject({ version: 1, createRevision: first.modRevision + 2 });
      });

      test('deleting nothing writes nothing', async () => {
        const before = await storage.revision();
        expect(await remove('a')).toBeUndefined();
        expect(await storage.revision()).toBe(before);
      });

      test('keeping returns the current entry and writes nothing', async () => {
        const first = await put('a', '1');
        const kept = await storage.update(key('a'), () => ({ kind: 'keep' }));

        expect(kept).toMatchObject({ modRevision: first.modRevision });
        expect(await storage.revision()).toBe(first.modRevision);
        expect(await storage.update(key('none'), () => ({ kind: 'keep' }))).toBeUndefined();
      });

      test('throws the error of the change, and writes nothing', async () => {
        const first = await put('a', '1');
        const refuse = new Error('refused');

        await expect(
          storage.update(key('a'), () => {
            throw refuse;
          }),
        ).rejects.toBe(refuse);
        await expect(
          storage.update(key('a'), async () => {
            throw refuse;
          }),
        ).rejects.toBe(refuse);
        expect(await storage.revision()).toBe(first.modRevision);
      });

      test.each([
        ['at once', (next: string) => ({ kind: 'put', value: bytes(next) }) as const],
        [
          'after a while',
          async (next: string) => {
            await Promise.resolve();
            return { kind: 'put', value: bytes(next) } as const;
          },
        ],
      ])('loses none of many concurrent increments decided %s', async (_, decide) => {
        const increments = Array.from({ length: 20 }, () =>
          storage.update(key('n'), (current) => decide(String(Number(text(current) ?? 0) + 1))),
        );
        await Promise.all(increments);

        expect(text(await storage.get(key('n')))).toBe('20');
        expect((await storage.get(key('n')))!.version).toBe(20);
      });

      test('an outdated expectation does no harm', async () => {
        const first = await put('a', '1');
        await put('a', '2');
        const seen: (string | undefined)[] = [];
        await storage.update(
          key('a'),
          (current) => {
            seen.push(text(current));
            return { kind: 'put', value: bytes(`${text(current)}+`) };
          },
          { expected: first },
        );

        expect(seen.at(-1)).toBe('2');
        expect(text(await storage.get(key('a')))).toBe('2+');
      });

      test('an expectation that holds hands its decoded object to the change', async () => {
        const first = await put('a', '1');
        const decoded = { a: 1 };
        let seen: unknown;
        await storage.update(
          key('a'),
          (current) => {
            seen = current?.decoded;
            return { kind: 'keep' };
          },
          { expected: { ...first, decoded } },
        );

        expect(seen).toBe(decoded);
      });

      test('a wrong expectation of a missing key calls the change again with the current entry', async () => {
        await put('a', '1');
        const none = { expectsNone: true };
        const seen: (string | undefined)[] = [];
        const add = (current: Entry | undefined): Change => {
          seen.push(text(current));
          return { kind: 'put', value: bytes(`${text(current) ?? ''}+`) };
        };
        await storage.update(key('a'), add, none);
        await storage.update(key('b'), add, none);
        const kept = await storage.update(key('a'), () => ({ kind: 'keep' }), none);
        const refusal = storage.update(
          key('a'),
          (current) => {
            throw new Error(`refused ${text(current)}`);
          },
          none,
        );
        await expect(refusal).rejects.toThrow('refused 1+');
        await storage.update(key('b'), () => ({ kind: 'delete' }), none);

        expect(text(await storage.get(key('a')))).toBe('1+');
        expect(seen.slice(-2)).toEqual(['1', undefined]);
        expect(text(kept)).toBe('1+');
        expect(await storage.get(key('b'))).toBeUndefined();
      });

      test('refuses a value that is too large, and keeps the current one', async () => {
        await put('a', '1');
        await fails(
          'too-large',
          storage.update(key('a'), () => ({ kind: 'put', value: new Uint8Array(2 ** 21) })),
        );
        expect(text(await storage.get(key('a')))).toBe('1');
      });

      test('takes an empty value and one of a megabyte', async () => {
        const large = Uint8Array.from({ length: 2 ** 20 }, (_, i) => (i * 31) % 251);
        await put('empty', '');
        await storage.update(key('large'), () => ({ kind: 'put', value: large }));

        expect((await storage.get(key('empty')))!.value.length).toBe(0);
        expect(Buffer.compare((await storage.get(key('large')))!.value, large)).toBe(0);
      });

      test('an aborted signal ends it before anything is written', async () => {
        const before = await storage.revision();
        const update = storage.update(key('a'), () => ({ kind: 'put', value: bytes('1') }), {
          signal: AbortSignal.abort(),
        });
        await expect(update).rejects.toMatchObject({ name: 'AbortError' });
        expect(await storage.revision()).toBe(before);
      });
    });

    describe('time to live', () => {
      test('ends a key with a delete that watchers see', async () => {
        const entry = await storage.update(key('a'), () => ({
          kind: 'put',
          value: bytes('1'),
          ttlSeconds: 1,
        }));
        expect(entry!.leaseId).toBeDefined();
        const watch = collect(storage, directory, entry!.modRevision, 1);
        await opened.advance(3_500);

        expect(brief(await watch)).toEqual([`delete ${key('a')} 1`]);
        expect(await storage.get(key('a'))).toBeUndefined();
      });

      test('a write without one takes it away', async () => {
        await storage.update(key('a'), () => ({ kind: 'put', value: bytes('1'), ttlSeconds: 1 }));
        await put('a', '2');
        await opened.advance(3_500);

        expect(text(await storage.get(key('a')))).toBe('2');
      });
    });

    describe('reading', () => {
      test('an older revision shows the former value', async () => {
        const first = await put('a', '1');
        const second = await put('a', '2');
        const deleted = (await remove('a'))!;
        const again = await put('a', '3');
        const at = async (revision: Revision) => text(await storage.get(key('a'), { revision }));

        expect(await at(first.modRevision)).toBe('1');
        expect(await at(second.modRevision)).toBe('2');
        expect(await at(deleted.modRevision)).toBeUndefined();
        expect(await at(again.modRevision)).toBe('3');
      });

      test('a future revision is refused', async () => {
        const revision = (await storage.revision()) + 1000;
        await fails('future-revision', storage.get(key('a'), { revision }));
        await fails('future-revision', storage.list(prefixRange(directory), { revision }));
      });

      test('a list is sorted and ends at its range', async () => {
        for (const last of ['b/2', 'b/10', 'a/1', 'b', 'c/1', 'b/1']) await put(last, last);
        const page = await storage.list(prefixRange(key('b/')));

        expect(page.entries.map((entry) => entry.key)).toEqual([key('b/1'), key('b/10'), key('b/2')]);
        expect(page).toMatchObject({ count: 3, more: false });
        expect((await all()).entries.map((entry) => text(entry))).toEqual([
          'a/1',
          'b',
          'b/1',
          'b/10',
          'b/2',
          'c/1',
        ]);
      });

      test('keys beyond ASCII come back as they went in, in the order of their bytes', async () => {
        const names = ['z', 'é', 'z\u{1f600}', '日本', 'e'];
        for (const last of names) await put(last, last);

        expect((await all()).entries.map((entry) => entry.key)).toEqual(
          ['e', 'z', 'z\u{1f600}', 'é', '日本'].map(key),
        );
        const within = await storage.list(prefixRange(key('z')));
        expect(within.entries.map((entry) => entry.key)).toEqual([key('z'), key('z\u{1f600}')]);
        expect(text(await storage.get(key('é')))).toBe('é');
      });

      test('all pages of a list can be read at the revision of the first', async () => {
        for (let i = 0; i < 10; i++) await put(`k${i}`, 'old');
        const first = await storage.list(prefixRange(directory), { limit: 4 });
        await put('k5', 'new');
        await remove('k6');
        await put('k65', 'new');
        const start = `${first.entries.at(-1)!.key}\0`;
        const rest = await storage.list({ ...prefixRange(directory), start }, { revision: first.revision });

        expect(first).toMatchObject({ more: true, count: 10 });
        expect(first.entries.length).toBe(4);
        expect(rest).toMatchObject({ revision: first.revision, more: false, count: 6 });
        expect(rest.entries.map((entry) => entry.key.slice(-2))).toEqual([
          'k4',
          'k5',
          'k6',
          'k7',
          'k8',
          'k9',
        ]);
        expect(new Set(rest.entries.map((entry) => text(entry)))).toEqual(new Set(['old']));
      });

      test('a limit that the range just fills leaves no more', async () => {
        await put('a', '1');
        await put('b', '1');
        expect(await storage.list(prefixRange(directory), { limit: 2 })).toMatchObject({
          more: false,
          count: 2,
        });
      });
    });

    describe('watch', () => {
      test('delivers events after a revision, then new ones, with the previous entries', async () => {
        const first = await put('a', '1');
        await put('a', '2');
        await put('b', '1');
        const watch = collect(storage, directory, first.modRevision, 5);
        await put('b', '2');
        await remove('a');
        await put('c', '1');

        expect(brief(await watch)).toEqual(
          [
            `put ${key('a')} 2 was 1`,
            `put ${key('b')} 1`,
            `put ${key('b')} 2 was 1`,
            `delete ${key('a')} 2 was 2`,
            `put ${key('c')} 1`,
          ].map((line) => line.replace(/^delete (.*) was .*/, 'delete $1')),
        );
      });

      test('a delete carries the last state and the revision of the delete', async () => {
        await put('a', '1');
        const deleted = (await remove('a'))!;
        const [event] = await collect(storage, directory, deleted.modRevision - 1, 1);

        expect(event).toMatchObject({
          type: 'delete',
          entry: { key: key('a'), modRevision: deleted.modRevision },
        });
        expect(text(event!.entry)).toBe('1');
        expect(event!.previous).toMatchObject({ modRevision: deleted.modRevision - 1 });
      });

      test('keeps to its range', async () => {
        const before = await storage.revision();
        await put('b', '1');
        await put('a/1', '1');
        await put('a0', '1');
        await put('a/2', '1');
        const events = await collect(storage, key('a/'), before, 2);

        expect(events.map((event) => event.entry.key)).toEqual([key('a/1'), key('a/2')]);
      });

      test('delivers every event once and in order while many are written', async () => {
        const before = await storage.revision();
        const watch = collect(storage, directory, before, 200);
        await Promise.all(Array.from({ length: 200 }, (_, i) => put(`k${i % 17}`, String(i))));
        const events = await watch;

        const revisions = events.map((event) => event.entry.modRevision);
        expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
        expect(new Set(revisions).size).toBe(200);
      });

      test('ends when its signal aborts', async () => {
        const abort = new AbortController();
        const watch = (async () => {
          for await (const _ of storage.watch(
            prefixRange(directory),
            await storage.revision(),
            abort.signal,
          ));
          return 'ended';
        })();
        await put('a', '1');
        abort.abort();

        expect(await watch).toBe('ended');
      });

      test("ends with 'closed' when the store closes", async () => {
        const watch = collect(storage, directory, await storage.revision(), 1);
        await put('other', '1');
        await watch;
        const idle = collect(storage, directory, await storage.revision(), 1);
        idle.catch(() => undefined);
        await new Promise<void>((resolve) => void setImmediate(resolve));
        await storage.close();

        await fails('closed', idle);
      });
    });

    describe('compaction', () => {
      test('drops superseded entries, and keeps current ones', async () => {
        const first = await put('a', '1');
        const second = await put('a', '2');
        const third = await put('b', '1');
        await storage.compact(third.modRevision);

        await fails('compacted', storage.get(key('a'), { revision: first.modRevision }));
        await fails('compacted', storage.list(prefixRange(directory), { revision: second.modRevision }));
        await fails('compacted', collect(storage, directory, first.modRevision - 1, 1));
        expect(text(await storage.get(key('a'), { revision: third.modRevision }))).toBe('2');
        expect((await all()).count).toBe(2);
      });

      test('reports the oldest revision at which a watch can start', async () => {
        await put('a', '1');
        const last = await put('a', '2');
        await storage.compact(last.modRevision);
        const failure = await collect(storage, directory, last.modRevision - 2, 1).catch(
          (reason: unknown) => reason,
        );

        expect(failure).toBeInstanceOf(StorageError);
        expect((failure as StorageError).revision).toBe(last.modRevision);
        expect(brief(await collect(storage, directory, last.modRevision - 1, 1))[0]).toContain(
          `put ${key('a')} 2`,
        );
      });

      test('of a future revision, or of one compacted already, is refused', async () => {
        const { modRevision } = await put('a', '1');
        await storage.compact(modRevision);

        await fails('compacted', storage.compact(modRevision));
        await fails('future-revision', storage.compact(modRevision + 1000));
      });
    });

    test('a closed store refuses everything', async () => {
      await storage.close();

      await fails('closed', storage.get(key('a')));
      await fails('closed', all());
      await fails('closed', put('a', '1'));
      await fails('closed', collect(storage, directory, 1, 1));
    });
  });
}

let testCount = 0;

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);

const text = (entry: Entry | undefined): string | undefined => entry && new TextDecoder().decode(entry.value);

const brief = (events: readonly Event[]): string[] =>
  events.map(({ type, entry, previous }) => {
    const was = type === 'put' && previous !== undefined ? ` was ${text(previous)}` : '';
    return `${type} ${entry.key} ${text(entry)}${was}`;
  });

/** The first `count` events after a revision. */
async function collect(storage: Storage, prefix: string, after: Revision, count: number): Promise<Event[]> {
  const abort = new AbortController();
  const events: Event[] = [];
  for await (const batch of storage.watch(prefixRange(prefix), after, abort.signal)) {
    events.push(...batch.events);
    if (events.length >= count) abort.abort();
  }
  return events;
}
