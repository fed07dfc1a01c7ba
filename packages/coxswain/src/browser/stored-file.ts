/** A file that outlives the page, stored per origin in OPFS, or in IndexedDB where OPFS is missing. */

import type { StoredFile } from '../../types/browser.d.ts';

/** The name of both stores within the origin. */
const storeName = 'coxswain';
const namePattern = /^[\w-][\w.-]{0,99}$/;

/** @throws TypeError for an invalid name, Error if the page may not store anything */
export async function storedFile(name: string): Promise<StoredFile> {
  if (!namePattern.test(name))
    throw new TypeError(
      `the name of a stored file has letters, digits, "-", "_" and ".", not ${JSON.stringify(name)}`,
    );
  const directory = await originDirectory();
  return directory === undefined ? inDatabase(name) : inDirectory(directory, name);
}

/** The parts of an origin's file system that are used. */
interface Directory {
  getDirectoryHandle(name: string, options: { readonly create: true }): Promise<Directory>;
  getFileHandle(name: string, options?: { readonly create: true }): Promise<FileHandle>;
  removeEntry(name: string): Promise<void>;
}

interface FileHandle {
  getFile(): Promise<Blob>;
  createWritable?(): Promise<{ write(bytes: Uint8Array): Promise<void>; close(): Promise<void> }>;
}

/** Undefined if there is no OPFS, or if its files cannot be replaced atomically. */
async function originDirectory(): Promise<Directory | undefined> {
  const { navigator, FileSystemFileHandle } = globalThis as FileScope;
  const canWrite = 'createWritable' in (FileSystemFileHandle?.prototype ?? {});
  try {
    const root = canWrite ? await navigator?.storage?.getDirectory?.() : undefined;
    return await root?.getDirectoryHandle(storeName, { create: true });
  } catch {
    // In private windows, some browsers have an OPFS that refuses access.
    return undefined;
  }
}

interface FileScope {
  readonly navigator?: { readonly storage?: { getDirectory?(): Promise<Directory> } };
  readonly FileSystemFileHandle?: { readonly prototype: object };
}

const isMissing = (failure: unknown): boolean => (failure as Error).name === 'NotFoundError';

function inDirectory(directory: Directory, name: string): StoredFile {
  const unlessMissing = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (failure) {
      if (isMissing(failure)) return undefined;
      throw failure;
    }
  };
  return {
    place: 'opfs',
    read: () =>
      unlessMissing(async () => {
        const file = await (await directory.getFileHandle(name)).getFile();
        return new Uint8Array(await file.arrayBuffer());
      }),
    async write(bytes) {
      // A separate file until it is closed, when it replaces the old one.
      const writable = await (await directory.getFileHandle(name, { create: true })).createWritable!();
      await writable.write(bytes);
      await writable.close();
    },
    remove: async () => void (await unlessMissing(() => directory.removeEntry(name))),
  };
}

/** The parts of IndexedDB that are used. */
interface Asked<T> {
  readonly result: T;
  readonly error: Error | null;
  addEventListener(type: 'success' | 'error' | 'upgradeneeded', listen: () => void): void;
}

interface Database {
  createObjectStore(name: string): unknown;
  transaction(name: string, mode: 'readonly' | 'readwrite', options: object): Transaction;
  close(): void;
}

interface Transaction {
  readonly error: Error | null;
  addEventListener(type: 'complete' | 'abort', listen: () => void): void;
  objectStore(name: string): ObjectStore;
}

interface ObjectStore {
  get(key: string): Asked<Uint8Array | undefined>;
  put(value: Uint8Array, key: string): Asked<unknown>;
  delete(key: string): Asked<unknown>;
}

declare const indexedDB: { open(name: string): Asked<Database> } | undefined;

function inDatabase(name: string): StoredFile {
  return {
    place: 'indexeddb',
    read: () => inTransaction('readonly', (store) => store.get(name)),
    write: async (bytes) => void (await inTransaction('readwrite', (store) => store.put(bytes, name))),
    remove: async () => void (await inTransaction('readwrite', (store) => store.delete(name))),
  };
}

async function inTransaction<T>(
  mode: 'readonly' | 'readwrite',
  act: (store: ObjectStore) => Asked<T>,
): Promise<T> {
  const database = await openDatabase();
  try {
    // The data is flushed to disk before the promise resolves.
    const transaction = database.transaction(storeName, mode, { durability: 'strict' });
    const asked = act(transaction.objectStore(storeName));
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error));
    });
    return asked.result;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<Database> {
  if (typeof indexedDB === 'undefined') throw new Error('nothing can be stored here: there is no IndexedDB');
  const opening = indexedDB.open(storeName);
  opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore(storeName));
  return new Promise((resolve, reject) => {
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(opening.error));
  });
}
