import { statSync } from 'node:fs';
import { hasLog } from '../log/log-paths.ts';
import { checkFile } from './check-file.ts';
import { damaged } from './damage.ts';
import { dataFileOf } from './file-names.ts';
import type { VisitRow } from './page-walk.ts';
import { damagedEntry, damagedRecord, decodeKey, hasRightChecksum, revisionOfLogKey } from './record.ts';
import { holdsSomething, readSuperblock, type StoredSuperblock } from './superblock.ts';

/** Values of a larger file are looked at when they are read. */
const readThroughBytesMax = 32 * 1024 * 1024;
/** More damaged rows are not told of. */
const toldMax = 100;

export interface FoundFiles {
  /** What must be in them; undefined where nothing is yet, and for a store of a layout that had no superblock. */
  readonly superblock: StoredSuperblock | undefined;
  readonly hasTables: boolean;
}

/**
 * Looks at the files of a directory before anything is opened. What needs the tables to be open is left to `stateOfFile`
 * (`upgrade.ts`) and `readLog`.
 * @param tell is told of each entry and record whose checksum is wrong, where reading all of them takes no time to speak of
 * @throws StorageError 'corrupt' | 'unavailable'
 */
export function inspectDirectory(directory: string, tell?: (damage: string) => void): FoundFiles {
  const superblock = readSuperblock(directory);
  const isUsed = superblock === undefined ? hasLog(directory) : holdsSomething(superblock);
  const path = dataFileOf(directory);
  const size = sizeOf(path);
  if (size === undefined || size === 0) {
    if (isUsed) throw damaged(directory, `${path} is ${size === undefined ? 'missing' : 'empty'}`);
    return { superblock, hasTables: false };
  }
  const areRead = superblock !== undefined && tell !== undefined && size <= readThroughBytesMax;
  checkFile(directory, { mark: superblock?.tables, ...(areRead && { visit: rowsChecked(tell) }) });
  return { superblock, hasTables: true };
}

function rowsChecked(tell: (damage: string) => void): VisitRow {
  let told = 0;
  return (table, key, value) => {
    if (!(table === 'head' || table === 'log') || hasRightChecksum(key, value) || told++ >= toldMax) return;
    tell(table === 'head' ? damagedEntry(decodeKey(key)) : damagedRecord(revisionOfLogKey(key)));
  };
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;
