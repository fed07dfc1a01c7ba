/** Stores that current code never writes: with altered rows, and of older layouts. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'lmdb';
import { logPathsOf } from '../log/log-paths.ts';
import { dataFileOf, superblockFileOf } from './file-names.ts';

/** Returns undefined to remove the row. */
export type ChangeRow = (key: Buffer, value: Buffer) => Buffer | undefined;

/** Changes rows of a table without the store's knowledge. */
export async function alterRows(directory: string, table: string, change: ChangeRow): Promise<void> {
  const options = {
    encoding: 'binary',
    keyEncoding: 'binary',
    cache: false,
    overlappingSync: false,
  } as const;
  const file = open<Buffer, Buffer>({
    ...options,
    path: dataFileOf(directory),
    noSubdir: true,
    maxDbs: 8,
    pageSize: 4096,
  });
  const rows = file.openDB<Buffer, Buffer>({ ...options, name: table });
  const all = Array.from(rows.getRange({}), ({ key, value }) => ({
    key: Buffer.from(key),
    value: Buffer.from(value),
  }));
  for (const { key, value } of all) {
    const changed = change(key, value);
    if (changed === undefined) rows.removeSync(key);
    else rows.putSync(key, changed);
  }
  await file.close();
}

const checksumBytes = 4;
const withoutChecksum: ChangeRow = (_, value) => value.subarray(checksumBytes);

/** Layout 3 had no superblock, and checksums of entries and records only; log files began with a shorter header. */
export async function makeLayout3(directory: string): Promise<void> {
  for (const table of ['leases', 'leased']) await alterRows(directory, table, withoutChecksum);
  await alterRows(directory, 'meta', (key, value) => {
    const row = key.toString();
    if (row === 'store') return undefined;
    return row === 'format' ? Buffer.from('3') : value.subarray(checksumBytes);
  });
  rmSync(superblockFileOf(directory));
  for (const path of logPathsOf(directory)) makeLogOfLayout3(path);
}

function makeLogOfLayout3(path: string): void {
  try {
    const bytes = readFileSync(path);
    writeFileSync(
      path,
      Buffer.concat([Buffer.from('coxswain log'), bytes.subarray(12, 16), bytes.subarray(36)]),
    );
  } catch {
    // There is none.
  }
}

/** Layout 1 had neither checksums nor a log. */
export async function makeLayout1(directory: string): Promise<void> {
  await makeLayout3(directory);
  for (const table of ['head', 'log']) await alterRows(directory, table, withoutChecksum);
  await alterRows(directory, 'meta', (key, value) =>
    key.toString() === 'format' ? Buffer.from('1') : value,
  );
}
