import { commandFor, minimumArgs } from '@coxswain/cobra';
import type { ProgramIo } from '../../program-io.ts';
import { withStore } from './store-directory.ts';

const command = commandFor<ProgramIo>();

export const defrag = command({
  use: 'defrag DIR...',
  short: 'Give space that is not in use back to the disk',
  long: 'Writes what is in use into a new file, which takes the place of the old one. Needs as much free space as is in use.',
  example: '  coxswain storage defrag data',
  args: minimumArgs(1),
  async run({ context: io, args }) {
    for (const directory of args) {
      await withStore(directory, io, async ({ engine }) => {
        const before = engine.size().totalBytes;
        await engine.defragment();
        const after = engine.size().totalBytes;
        io.out.write(`${directory}: ${megabytes(before)} before, ${megabytes(after)} after\n`);
      });
    }
  },
});

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
