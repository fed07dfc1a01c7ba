import { command } from '../command.ts';

export const alpha = command({
  use: 'alpha',
  long: 'Commands that may still change in any way.',
  disableFlagsInUseLine: true,
  run: ({ context }) => context.printError('No alpha commands are available in this version of kubectl\n'),
});
