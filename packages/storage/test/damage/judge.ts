/** Opens a damaged store and judges how it is presented. */
import { systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { checkStore } from '../../src/engine/lmdb/check-store.ts';
import { recoverStore } from '../../src/engine/lmdb/recover-store.ts';
import { LmdbStorage } from '../../src/engine/lmdb/lmdb-storage.ts';
import { StorageError, prefixRange, type Entry } from '../../src/storage.ts';
import { entryText, type LeftStore } from './stores.ts';

export type Verdict = 'refused' | 'whole' | 'named';

/** What a refusal must name: a file, or something in it. */
const names = /data\.mdb|superblock|log\.\d|the log ends at|record \d+|\/key\/\d+|lease \d+|row \w+/;

/**
 * 'refused': opening reported the damage; 'whole': everything acknowledged is there, and the store can be used and
 * reopened; 'named': like 'whole', except for values that reads and a check report as damaged.
 * @throws Error for everything else
 */
export async function judge(directory: string, store: LeftStore): Promise<Verdict> {
  const problems = await problemsOf(directory);
  let storage: LmdbStorage;
  try {
    storage = new LmdbStorage({ directory, historyMsMax: 0 });
  } catch (failure) {
    mustName(failure);
    if (problems.length === 0)
      throw new Error(`a check found nothing, and the start: ${String(failure)}`, { cause: failure });
    await mustBeRecoverable(directory);
    return 'refused';
  }
  const damaged = await compare(storage, store);
  const reported = problems.join('\n');
  if (damaged.some((key) => !reported.includes(key)))
    throw new Error(`a check did not name ${damaged.join(' ')}`);
  await storage.update('/new', () => ({ kind: 'put', value: Buffer.alloc(5_000, 'n') }));
  await storage.close();
  const again = new LmdbStorage({ directory, historyMsMax: 0 });
  await compare(again, store);
  if ((await again.get('/new'))?.value.length !== 5_000)
    throw new Error('what was written then is not there');
  await again.close();
  return damaged.length === 0 ? 'whole' : 'named';
}

/** What can be recovered is a store without damage. */
async function mustBeRecoverable(directory: string): Promise<void> {
  const { entries } = await recoverStore(directory, systemClock);
  const { problems } = await checkStore(directory);
  if (problems.length > 0) throw new Error(`what was recovered is damaged: ${problems.join(' ')}`);
  const storage = new LmdbStorage({ directory, historyMsMax: 0 });
  const { count } = await storage.list(prefixRange('/'));
  await storage.close();
  if (count !== entries) throw new Error(`${entries} entries were recovered, and ${count} are there`);
}

async function problemsOf(directory: string): Promise<readonly string[]> {
  try {
    return (await checkStore(directory)).problems;
  } catch (failure) {
    mustName(failure);
    return [messageOf(failure)];
  }
}

function mustName(failure: unknown): void {
  const isRefusal = failure instanceof StorageError && failure.kind === 'corrupt';
  if (!isRefusal || !names.test(failure.message)) throw failure;
}

/** Returns the keys that are reported as damaged. */
async function compare(storage: LmdbStorage, { entries, revision }: LeftStore): Promise<readonly string[]> {
  if (storage.currentRevision < revision)
    throw new Error(`revision ${revision} is lost: the newest is ${storage.currentRevision}`);
  const listed = (await storage.list(prefixRange('/'))).entries.filter(({ key }) => key !== '/new');
  const damaged = listed.filter(({ isDamaged }) => isDamaged).map(({ key }) => key);
  const found = new Map(listed.filter((entry) => !damaged.includes(entry.key)).map(entryText));
  for (const [key, text] of entries) {
    if (found.get(key) === text) continue;
    // The key itself may be damaged: then it is reported as it is now.
    if (damaged.length === 0) throw new Error(`${key} is not as it was acknowledged`);
  }
  for (const key of found.keys()) if (!entries.has(key)) throw new Error(`${key} was deleted, and is there`);
  readPast(storage, damaged);
  for (const key of entries.keys()) mustBeAsListed(storage.engine.get(key), key, damaged, entries);
  return damaged;
}

function readPast(storage: LmdbStorage, damaged: string[]): void {
  try {
    storage.engine.history(prefixRange('/'), storage.compactedRevision);
  } catch (failure) {
    mustName(failure);
    damaged.push(/record \d+/.exec(messageOf(failure))?.[0] ?? '');
  }
}

function mustBeAsListed(
  entry: Entry | undefined,
  key: string,
  damaged: readonly string[],
  entries: LeftStore['entries'],
): void {
  if (entry === undefined ? damaged.length > 0 : entry.isDamaged === true) return;
  if (entry === undefined || entryText(entry)[1] !== entries.get(key))
    throw new Error(`${key} is read as something else`);
}
