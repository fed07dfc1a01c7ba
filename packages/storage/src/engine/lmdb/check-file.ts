import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { StorageError } from '../../storage.ts';
import { damaged } from './damage.ts';
import { dataFileOf } from './file-names.ts';
import { PageWalk, pageBytes, readTable, rootTransaction, type Roots, type VisitRow } from './page-walk.ts';
import type { TablesMark } from './tables-mark.ts';

const magic = 0xbeefc0de;
/** The offsets of the checked fields in LMDB's two meta pages. */
const at = {
  flags: 18,
  magic: 24,
  mapBytes: 40,
  pageBytes: 48,
  freeTable: 48,
  mainTable: 96,
  lastPage: 144,
  transaction: 152,
} as const;
const metaBytes = 168;
const isMeta = 0x08;
const lostPagesMax = 65_536;
/** The parts that are equal in both pages: magic, version and address; page size and flags. */
const sameParts = [
  [at.magic, at.mapBytes],
  [at.pageBytes, at.pageBytes + 6],
] as const;

/** Of a file that LMDB has open, or that was checked. */
export function readMark(file: number): TablesMark {
  const [newest] = readMetas(file);
  return markOf(newest);
}

export interface FileCheck {
  /** LMDB's meta page when it was last recorded; a later one is accepted if everything that it refers to is valid. */
  readonly mark?: TablesMark | undefined;
  /** Called with every row, whose value is read for that. */
  readonly visit?: VisitRow;
}

/**
 * Refuses a file that is not a complete LMDB file, or older than recorded, before LMDB maps it into memory.
 * @throws StorageError 'corrupt' with the first problem; 'unavailable'
 */
export function checkFile(directory: string, { mark, visit }: FileCheck = {}): void {
  const path = dataFileOf(directory);
  withFile(path, (file) => {
    const refuse = (what: string): never => {
      throw damaged(directory, `${path}: ${what}`);
    };
    const [newest, older] = readMetas(file);
    const problem = problemInMetas(newest, older) ?? problemWithMark(newest, mark);
    if (problem !== undefined) refuse(problem);
    const roots = rootsOf(newest);
    const { size } = fstatSync(file);
    if (roots.lastPage >= pagesMaxOf(size) || rootTransaction(file, roots) !== roots.transaction)
      refuse('a meta page is damaged');
    const wanted = (roots.lastPage + 1) * pageBytes;
    new PageWalk(file, roots, visit, ({ message }) =>
      // Pages that a transaction allocated and freed are not written, so they may be missing at the end.
      refuse(size < wanted ? `it is truncated (${size} of ${wanted} bytes)` : message),
    ).run();
  });
}

/** Visits all reachable rows of a possibly damaged file, and reports the damage. */
export function walkTolerantly(path: string, visit: VisitRow, report: (damage: string) => void): void {
  if (!existsSync(path)) return report(`${path} is missing`);
  withFile(path, (file) => {
    const pages = Math.floor(fstatSync(file).size / pageBytes);
    const candidates = readMetas(file)
      .filter(isMetaPage)
      .map((meta) => ({ ...rootsOf(meta), lastPage: Math.max(0, pages - 1) }));
    const roots = candidates.find((one) => rootTransaction(file, one) === one.transaction) ?? candidates[0];
    if (roots === undefined) return report(`${path}: both meta pages are damaged`);
    new PageWalk(file, roots, visit, ({ message }) => report(`${path}: ${message}`)).run();
  });
}

function withFile<T>(path: string, use: (file: number) => T): T {
  const file = openToRead(path);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/** The newer one first. */
function readMetas(file: number): readonly [newest: Buffer, older: Buffer] {
  const [first, second] = [readMeta(file, 0), readMeta(file, pageBytes)];
  return transactionOf(second) > transactionOf(first) ? [second, first] : [first, second];
}

const rootsOf = (meta: Buffer): Roots => ({
  free: readTable(meta, at.freeTable),
  main: readTable(meta, at.mainTable),
  lastPage: Number(meta.readBigUInt64LE(at.lastPage)),
  transaction: transactionOf(meta),
});

function problemInMetas(newest: Buffer, older: Buffer): string | undefined {
  if (![newest, older].some(isMetaPage)) return 'it is not a database of this program';
  const areAlike = sameParts.every(([start, end]) =>
    newest.subarray(start, end).equals(older.subarray(start, end)),
  );
  const isWhole = isMetaPage(newest) && isMetaPage(older) && areAlike;
  return isWhole && newest.readUInt32LE(at.pageBytes) === pageBytes ? undefined : 'a meta page is damaged';
}

function problemWithMark(newest: Buffer, mark: TablesMark | undefined): string | undefined {
  const found = markOf(newest);
  if (mark === undefined || mark.transaction === 0 || found.transaction > mark.transaction) return undefined;
  if (found.transaction < mark.transaction)
    return `it is older than what was stored (transaction ${found.transaction}, not ${mark.transaction})`;
  return found.checksum === mark.checksum ? undefined : 'a meta page is damaged';
}

/** Of a file that has lost no more pages than a transaction allocates. */
const pagesMaxOf = (size: number): number => 2 * Math.ceil(size / pageBytes) + lostPagesMax;

const isMetaPage = (meta: Buffer): boolean =>
  meta.readUInt32LE(at.magic) === magic && (meta.readUInt16LE(at.flags) & isMeta) !== 0;

const markOf = (meta: Buffer): TablesMark => ({
  transaction: transactionOf(meta),
  checksum: crc32(meta.subarray(at.magic)),
});

const transactionOf = (meta: Buffer): number => Number(meta.readBigUInt64LE(at.transaction));

function readMeta(file: number, position: number): Buffer {
  const bytes = Buffer.alloc(metaBytes);
  readSync(file, bytes, 0, metaBytes, position);
  return bytes;
}

function openToRead(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new StorageError('unavailable', `cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
