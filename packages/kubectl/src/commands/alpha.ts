import { command } from '../command.ts';

export const alpha = command({
  use: 'alpha',
  long: 'Experimental commands, which may change in incompatible ways.',
  disableFlagsInUseLine: true,
  run: ({ context }) => context.printError('No alpha commands are available in this version of kubectl\n'),
});
