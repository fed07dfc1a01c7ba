/** Stores as processes leave them, with what was acknowledged, and older copies of their files. */
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@coxswain/apimachinery';
import { LmdbStorage } from '../../src/engine/lmdb/lmdb-storage.ts';
import { checkpointBoundsDefault } from '../../src/engine/log/logged-table.ts';
import { prefixRange } from '../../src/storage.ts';

/** The relevant files by name. */
export type StoreFiles = ReadonlyMap<string, Buffer>;

export interface LeftStore {
  readonly name: string;
  readonly files: StoreFiles;
  /** The files some writes earlier. */
  readonly earlier: StoreFiles;
  /** The content: value and revision of each key. */
  readonly entries: ReadonlyMap<string, string>;
  readonly revision: number;
}

/** Frequent checkpoints, so that pages are reused. */
const checkpoints = { ...checkpointBoundsDefault, events: 60, batchEvents: 25 };
/** Until acknowledgements have been recorded. */
const noteMs = 60;

export const looksAt = /^(data\.mdb|superblock|log\.\d)$/;

/**
 * A store that was closed, one whose process was killed with little in its log, and one killed with nothing in its
 * tables.
 */
export async function leftStores(root: string, random: Random): Promise<LeftStore[]> {
  return [
    await leave(root, 'closed', random, { rounds: 60, isClosed: true, isBusy: true }),
    await leave(root, 'killed', random, { rounds: 60, isClosed: false, isBusy: true }),
    await leave(root, 'logged', random, { rounds: 20, isClosed: false, isBusy: false }),
  ];
}

interface Life {
  readonly rounds: number;
  readonly isClosed: boolean;
  readonly isBusy: boolean;
}

async function leave(root: string, name: string, random: Random, life: Life): Promise<LeftStore> {
  const directory = join(root, name);
  const storage = new LmdbStorage({
    directory,
    historyMsMax: 0,
    ...(life.isBusy && { checkpoints }),
  });
  let earlier: StoreFiles = new Map();
  for (let round = 0; round < life.rounds; round++) {
    await Promise.all(Array.from({ length: 8 }, () => writeOne(storage, random)));
    if (!life.isBusy) continue;
    if (round % 20 === 15) await storage.compact(storage.currentRevision - 40);
    if (round === 30) await storage.engine.defragment();
    if (round === 50) earlier = await copyWhen(directory);
  }
  if (!life.isBusy) {
    earlier = await copyWhen(directory);
    for (let index = 0; index < 20; index++) await writeOne(storage, random);
  }
  const { entries } = await storage.list(prefixRange('/'));
  const left = { name, earlier, revision: storage.currentRevision, entries: new Map(entries.map(entryText)) };
  if (life.isClosed) await storage.close();
  const files = await copyWhen(directory);
  if (!life.isClosed) await storage.close();
  return { ...left, files };
}

export const entryText = (entry: {
  readonly key: string;
  readonly value: Uint8Array;
  readonly modRevision: number;
}): [string, string] => [entry.key, `${entry.modRevision} ${Buffer.from(entry.value).toString('latin1')}`];

function writeOne(storage: LmdbStorage, random: Random): Promise<unknown> {
  const key = `/key/${Math.floor(random.next() * 120)}`;
  const isDelete = random.next() < 0.1;
  const length = Math.floor(random.next() ** 3 * 9_000);
  const value = Buffer.from(`${key}:`.repeat(1 + length / 8));
  const lease = random.next() < 0.1 ? { ttlSeconds: 3_600 } : {};
  return storage.update(key, () => (isDelete ? { kind: 'delete' } : { kind: 'put', value, ...lease }));
}

/** Copies all files once acknowledgements have been recorded. */
async function copyWhen(directory: string): Promise<StoreFiles> {
  await new Promise((resolve) => void setTimeout(resolve, noteMs));
  cpSync(directory, `${directory}-copy`, { recursive: true });
  const names = readdirSync(`${directory}-copy`).filter((name) => looksAt.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(`${directory}-copy`, name))]));
}
