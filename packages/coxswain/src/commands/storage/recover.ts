import { systemClock } from '@coxswain/apimachinery';
import { bool, commandFor, exactArgs } from '@coxswain/cobra';
import { recoverStore } from '@coxswain/storage/engine/lmdb/recover-store.ts';
import type { ProgramIo } from '../../program/program-io.ts';
import { storeDirectory } from './store-directory.ts';

const command = commandFor<ProgramIo>();

export const recover = command({
  use: 'recover DIR',
  short: 'Salvage what can be read from a damaged data directory',
  long: 'Builds a new store from what can still be read. Use it only if there is no backup: damaged or missing entries and the\nhistory are lost. Revisions are raised so that clients list again. The old files are kept in a directory next to the\nnew ones.',
  example: '  coxswain storage recover data --accept-data-loss',
  args: exactArgs(1),
  flags: {
    acceptDataLoss: bool({ usage: 'Confirm that acknowledged writes that cannot be read are lost.' }),
  },
  async run({ context: io, args, flags }) {
    if (!flags.acceptDataLoss)
      throw new Error(
        'data that cannot be read would be lost: restore a backup if there is one, or confirm with --accept-data-loss',
      );
    const [directory] = args as [string];
    const { revision, entries, damages, kept } = await recoverStore(storeDirectory(directory), systemClock);
    for (const damage of damages) io.err.write(`${damage}\n`);
    io.out.write(`Recovered ${entries} entries at revision ${revision}. The old files are in ${kept}.\n`);
  },
});
