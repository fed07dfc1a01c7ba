/** `coxswain token`: manages the tokens with which machines join. */
import { commandFor, knownCommand, lazy } from '@coxswain/cobra';
import type { ProgramIo } from '../../program/program-io.ts';

const command = commandFor<ProgramIo>();

export const token = command({
  use: 'token',
  short: 'Manage the tokens that machines join with',
  args: knownCommand,
  commands: [
    lazy({
      name: 'create',
      short: 'Create a token',
      load: async () => (await import('./create.ts')).create,
    }),
    lazy({
      name: 'list',
      short: 'List the tokens of a cluster',
      load: async () => (await import('./list.ts')).list,
    }),
    lazy({
      name: 'delete',
      short: 'Delete tokens so that they can no longer be used',
      load: async () => (await import('./delete.ts')).deleteCommand,
    }),
  ],
});
