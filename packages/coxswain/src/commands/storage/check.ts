import { commandFor, minimumArgs } from '@coxswain/cobra';
import { waysOut } from '@coxswain/storage/engine/lmdb/damage.ts';
import { checkStore, type CheckResult } from '@coxswain/storage/engine/lmdb/check-store.ts';
import { StorageError } from '@coxswain/storage';
import type { ProgramIo } from '../../program/program-io.ts';
import { storeDirectory } from './store-directory.ts';

const command = commandFor<ProgramIo>();

export const check = command({
  use: 'check DIR...',
  short: 'Verify the integrity of data directories',
  long: 'Reads every page, entry and record of each directory, verifies checksums, and checks that entries, history and\nleases are consistent. Fails if anything is wrong. Changes nothing.',
  example: '  coxswain storage check ~/.local/share/coxswain',
  args: minimumArgs(1),
  async run({ context: io, args }) {
    let damaged = 0;
    for (const directory of args) {
      const { entries, records, leases, problems, problemCount } = await checked(directory);
      for (const problem of problems) io.out.write(`${directory}: ${problem}\n`);
      const more = problemCount - problems.length;
      if (more > 0) io.out.write(`${directory}: and ${more} more\n`);
      const read = `${entries} entries, ${records} records, ${leases} leases`;
      if (problemCount === 0) io.out.write(`${directory}: ${read}: OK\n`);
      else damaged++;
      if (entries > 0 && problemCount > 0) io.out.write(`${directory}: ${waysOut(directory)}\n`);
    }
    if (damaged > 0) {
      throw new Error(
        `${damaged} of ${args.length} ${args.length === 1 ? 'directory is' : 'directories are'} damaged`,
      );
    }
  },
});

/** A store too damaged to be opened is reported as a problem like any other. */
async function checked(directory: string): Promise<CheckResult> {
  try {
    return await checkStore(storeDirectory(directory));
  } catch (failure) {
    if (!(failure instanceof StorageError) || failure.kind !== 'corrupt') throw failure;
    return { entries: 0, records: 0, leases: 0, problems: [failure.message], problemCount: 1 };
  }
}
