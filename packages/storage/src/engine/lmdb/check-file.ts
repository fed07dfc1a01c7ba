import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StorageError } from '../../storage.ts';
import { problemInTable } from './check-pages.ts';

const magic = 0xbeefc0de;
/** Where LMDB's two meta pages keep what is checked here. */
const at = { magic: 24, pageBytes: 48, freeTable: 48, mainTable: 96, lastPage: 144, transaction: 152 };
const metaBytes = 160;
/** A larger file is read through when it is asked for: at the start it would take more time than starting does. */
const readThroughBytesMax = 16 * 1024 * 1024;

/**
 * Refuses a file that is not a whole LMDB file, before LMDB maps it into memory: reading past the end of a
 * truncated one would kill the process. An absent or empty file is fine: it is a new store.
 */
export function checkFile(path: string, { readThrough = false } = {}): void {
  const file = openIfThere(path);
  if (file === undefined) return;
  try {
    const { size } = fstatSync(file);
    if (size === 0) return;
    const first = readMeta(file, 0);
    if (first === undefined) throw corrupt(path, 'it is not a database of this program');
    const second = readMeta(file, first.pageBytes);
    if (second === undefined) throw corrupt(path, 'its second meta page is damaged');
    const newest = second.transaction > first.transaction ? second : first;
    const wanted = (newest.lastPage + 1) * newest.pageBytes;
    if (size < wanted) {
      // Pages that a transaction took and gave back are not written: at the end, they may be missing.
      const lastPage = Math.floor(size / newest.pageBytes) - 1;
      const problem = findProblem(file, { ...newest, lastPage });
      if (problem !== undefined) throw corrupt(path, `it is cut off (${size} of ${wanted} bytes)`);
    } else if (readThrough || wanted <= readThroughBytesMax) {
      const problem = findProblem(file, newest);
      if (problem !== undefined) throw corrupt(path, problem);
    }
  } finally {
    closeSync(file);
  }
}

/** Of the first page that is wrong. */
function findProblem(file: number, { position, pageBytes, lastPage }: Meta): string | undefined {
  const size = (lastPage + 1) * pageBytes;
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let read = 0, more = 1; read < size && more > 0; read += more)
    more = readSync(file, bytes, read, size - read, read);
  const pages = { bytes, pageBytes, lastPage };
  return problemInTable(pages, position + at.freeTable) ?? problemInTable(pages, position + at.mainTable);
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StorageError('unavailable', `cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}

interface Meta {
  readonly position: number;
  readonly pageBytes: number;
  readonly lastPage: number;
  readonly transaction: number;
}

function readMeta(file: number, position: number): Meta | undefined {
  const bytes = Buffer.alloc(metaBytes);
  if (readSync(file, bytes, 0, metaBytes, position) < metaBytes) return undefined;
  if (bytes.readUInt32LE(at.magic) !== magic) return undefined;
  return {
    position,
    pageBytes: bytes.readUInt32LE(at.pageBytes),
    lastPage: Number(bytes.readBigUInt64LE(at.lastPage)),
    transaction: Number(bytes.readBigUInt64LE(at.transaction)),
  };
}

const corrupt = (path: string, what: string): StorageError =>
  new StorageError('corrupt', `${path} cannot be used: ${what}; restore it from a backup or move it away`);
