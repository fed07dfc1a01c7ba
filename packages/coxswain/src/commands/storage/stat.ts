import { bool, commandFor, minimumArgs } from '@coxswain/cobra';
import { describeStore, type StoreDescription } from '@coxswain/storage/engine/lmdb/describe-store.ts';
import type { ProgramIo } from '../../program/program-io.ts';
import { storeDirectory } from './store-directory.ts';
import { tableText } from '../../program/table-text.ts';

const command = commandFor<ProgramIo>();

type Row = StoreDescription & { readonly directory: string };

export const stat = command({
  use: 'stat DIR...',
  short: 'Print statistics of data directories',
  long: 'Prints the revision, number of keys, size and other statistics of each directory as a table. Changes nothing.',
  example: '  coxswain storage stat data-1 data-2',
  args: minimumArgs(1),
  flags: { json: bool({ usage: 'Print JSON.' }) },
  async run({ context: io, args, flags }) {
    const rows: Row[] = [];
    for (const directory of args)
      rows.push({ directory, ...(await describeStore(storeDirectory(directory))) });
    io.out.write(
      flags.json
        ? `${JSON.stringify(rows, undefined, 2)}\n`
        : tableText([
            columns.map(([title]) => title),
            ...rows.map((row) => columns.map(([, of]) => of(row))),
          ]),
    );
  },
});

const columns: readonly (readonly [title: string, of: (row: Row) => string])[] = [
  ['DIRECTORY', (row) => row.directory],
  ['FORMAT', (row) => row.format],
  ['REVISION', (row) => String(row.revision)],
  ['COMPACTED', (row) => String(row.compactedRevision)],
  ['KEYS', (row) => String(row.keys)],
  ['RECORDS', (row) => String(row.records)],
  ['LEASES', (row) => String(row.leases)],
  ['SIZE', (row) => megabytes(row.fileBytes)],
  ['IN USE', (row) => megabytes(row.usedBytes)],
  ['ALARMS', (row) => row.alarms.join(',') || 'none'],
];

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
