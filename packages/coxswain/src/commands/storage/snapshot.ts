import { createReadStream } from 'node:fs';
import { access, constants, open, rename, rm } from 'node:fs/promises';
import { commandFor, exactArgs, int, knownCommand } from '@coxswain/cobra';
import { restoreSnapshot } from '@coxswain/storage/engine/lmdb/restore-snapshot.ts';
import type { ProgramIo } from '../../program/program-io.ts';
import { withStore } from './store-directory.ts';

const command = commandFor<ProgramIo>();

const save = command({
  use: 'save DIR FILE',
  short: 'Save a data directory with its history to a file',
  long: 'Writes a snapshot with all entries, their history and leases, protected by a checksum. The format is independent of\nthe layout of the data directory.',
  example: '  coxswain storage snapshot save data monday.snapshot',
  args: exactArgs(2),
  async run({ context: io, args }) {
    const [directory, file] = args as [string, string];
    await withStore(directory, io, async ({ engine }) => {
      const bytes = await writeWhole(file, engine.snapshot());
      io.out.write(`Saved revision ${engine.revision} in ${file} (${bytes} bytes).\n`);
    });
  },
});

const restore = command({
  use: 'restore FILE DIR',
  short: 'Create a data directory from a snapshot',
  long: 'Creates a data directory, which must not contain a store. If writes made after the snapshot are lost, set --bump-revision\nto more than their number: clients that saw them then list again instead of mistaking later writes for them.',
  example: '  coxswain storage snapshot restore monday.snapshot data --bump-revision=1000000',
  args: exactArgs(2),
  flags: {
    bumpRevision: int({ usage: 'The number to add to the revision. If set, the history is not restored.' }),
  },
  async run({ context: io, args, flags }) {
    const [file, directory] = args as [string, string];
    if (flags.bumpRevision < 0) throw new Error('--bump-revision must not be negative');
    await access(file, constants.R_OK);
    const { revision, entries } = await restoreSnapshot(chunksOf(file), directory, flags);
    io.out.write(`Restored ${entries} entries at revision ${revision} in ${directory}.\n`);
  },
});

export const snapshot = command({
  use: 'snapshot',
  short: 'Save a data directory to a file, or restore it',
  args: knownCommand,
  commands: [save, restore],
});

/** Opened when it is read, so that nothing is left open when it is not. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file) as AsyncIterable<Uint8Array>;
}

/** There is either a whole file afterwards, or what was there before. Resolves with its size in bytes. */
async function writeWhole(file: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const partial = `${file}.partial`;
  let written = 0;
  const handle = await open(partial, 'w', 0o600);
  try {
    for await (const chunk of chunks) {
      await handle.writeFile(chunk);
      written += chunk.length;
    }
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    return written;
  } catch (failure) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw failure;
  }
}
