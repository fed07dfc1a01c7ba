import { statSync } from 'node:fs';
import { hasLog, logPathsOf } from '../log/log-paths.ts';
import { checkFile } from './check-file.ts';
import { damaged } from './damage.ts';
import { dataFileOf, superblockFileOf } from './file-names.ts';
import type { VisitRow } from './page-walk.ts';
import { damagedEntry, damagedRecord, decodeKey, hasRightChecksum, revisionOfLogKey } from './record.ts';
import { holdsSomething, readSuperblock, type StoredSuperblock } from './superblock.ts';

/** Values of a larger file are verified only when they are read. */
const readThroughBytesMax = 32 * 1024 * 1024;
/** The maximum number of damaged rows to report. */
const reportedMax = 100;

export interface FoundFiles {
  /** What the files must contain; undefined for an empty store, and for layouts without a superblock. */
  readonly superblock: StoredSuperblock | undefined;
  readonly hasTables: boolean;
}

/**
 * Inspects the files of a directory before anything is opened. Checks that need open tables are in `stateOfFile`
 * (`upgrade.ts`) and `readLog`.
 * @param tell called with each entry and record whose checksum is wrong, if the file is small enough to read all of it
 * @throws StorageError 'corrupt' | 'unavailable'
 */
export function inspectDirectory(directory: string, report?: (damage: string) => void): FoundFiles {
  mustBeFiles(directory);
  const superblock = readSuperblock(directory);
  const isUsed = superblock === undefined ? hasLog(directory) : holdsSomething(superblock);
  const path = dataFileOf(directory);
  const size = sizeOf(path);
  if (size === undefined || size === 0) {
    if (isUsed) throw damaged(directory, `${path} is ${size === undefined ? 'missing' : 'empty'}`);
    return { superblock, hasTables: false };
  }
  const areRead = superblock !== undefined && report !== undefined && size <= readThroughBytesMax;
  checkFile(directory, { mark: superblock?.tables, ...(areRead && { visit: rowsChecked(report) }) });
  return { superblock, hasTables: true };
}

/** Opening a pipe would wait forever. */
function mustBeFiles(directory: string): void {
  for (const path of [dataFileOf(directory), superblockFileOf(directory), ...logPathsOf(directory)]) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw damaged(directory, `${path} is not a file`);
  }
}

function rowsChecked(report: (damage: string) => void): VisitRow {
  let reported = 0;
  return (table, key, value) => {
    if (!(table === 'head' || table === 'log') || hasRightChecksum(key, value) || reported++ >= reportedMax)
      return;
    report(table === 'head' ? damagedEntry(decodeKey(key)) : damagedRecord(revisionOfLogKey(key)));
  };
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;
