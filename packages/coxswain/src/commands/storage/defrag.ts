import { commandFor, minimumArgs } from '@coxswain/cobra';
import type { ProgramIo } from '../../program/program-io.ts';
import { withStore } from './store-directory.ts';

const command = commandFor<ProgramIo>();

export const defrag = command({
  use: 'defrag DIR...',
  short: 'Return unused space to the file system',
  long: 'Copies the data into a new file that replaces the old one. Needs as much free disk space as the data occupies.',
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
