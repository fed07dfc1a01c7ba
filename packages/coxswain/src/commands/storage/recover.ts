import { systemClock } from '@coxswain/apimachinery';
import { bool, commandFor, exactArgs } from '@coxswain/cobra';
import { recoverStore } from '@coxswain/storage/engine/lmdb/recover-store.ts';
import type { ProgramIo } from '../../program-io.ts';
import { storeDirectory } from './store-directory.ts';

const command = commandFor<ProgramIo>();

export const recover = command({
  use: 'recover DIR',
  short: 'Keep what can be read of a damaged directory, and lose the rest',
  long: 'Makes a new store of what can still be read, for when there is no backup. What is damaged or missing is lost, with the\npast; revisions are raised, so that clients read anew. The files that were there are kept in a folder beside.',
  example: '  coxswain storage recover data --accept-data-loss',
  args: exactArgs(1),
  flags: {
    acceptDataLoss: bool({ usage: 'What was acknowledged and cannot be read is lost.' }),
  },
  async run({ context: io, args, flags }) {
    if (!flags.acceptDataLoss)
      throw new Error(
        'what cannot be read would be lost: restore a backup where there is one, or give --accept-data-loss',
      );
    const [directory] = args as [string];
    const { revision, entries, damages, kept } = await recoverStore(storeDirectory(directory), systemClock);
    for (const damage of damages) io.err.write(`${damage}\n`);
    io.out.write(`Kept ${entries} entries, at revision ${revision}. What was there is in ${kept}.\n`);
  },
});
