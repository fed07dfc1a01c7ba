/** `coxswain token`: the tokens by which machines join. */
import { commandFor, knownCommand, lazy } from '@coxswain/cobra';
import type { ProgramIo } from '../../program-io.ts';

const command = commandFor<ProgramIo>();

export const token = command({
  use: 'token',
  short: 'Make, list and delete the tokens by which machines join',
  args: knownCommand,
  commands: [
    lazy({
      name: 'create',
      short: 'Make a token',
      load: async () => (await import('./create.ts')).create,
    }),
    lazy({
      name: 'list',
      short: 'List the tokens of a cluster',
      load: async () => (await import('./list.ts')).list,
    }),
    lazy({
      name: 'delete',
      short: 'Delete tokens, so that nobody joins by them any more',
      load: async () => (await import('./delete.ts')).deleteCommand,
    }),
  ],
});
