import { commandFor, minimumArgs } from '@coxswain/cobra';
import { checkStore } from '@coxswain/storage/engine/lmdb/check-store.ts';
import type { ProgramIo } from '../../program-io.ts';
import { storeDirectory } from './store-directory.ts';

const command = commandFor<ProgramIo>();

export const check = command({
  use: 'check DIR...',
  short: 'Read everything and tell what is damaged',
  long: 'Reads every page, entry and record of each directory, compares checksums, and looks whether entries, past and\nleases tell one story. Fails when something is wrong. Nothing is changed.',
  example: '  coxswain storage check ~/.local/share/coxswain',
  args: minimumArgs(1),
  async run({ context: io, args }) {
    let damaged = 0;
    for (const directory of args) {
      const { entries, records, leases, problems, problemCount } = await checkStore(
        storeDirectory(directory),
      );
      for (const problem of problems) io.out.write(`${directory}: ${problem}\n`);
      const more = problemCount - problems.length;
      if (more > 0) io.out.write(`${directory}: and ${more} more\n`);
      const read = `${entries} entries, ${records} records, ${leases} leases`;
      if (problemCount === 0) io.out.write(`${directory}: ${read}: all right\n`);
      else damaged++;
    }
    if (damaged > 0) {
      throw new Error(
        `${damaged} of ${args.length} ${args.length === 1 ? 'directory is' : 'directories are'} damaged`,
      );
    }
  },
});
