/** `coxswain rbac`: commands that make roles. */
import { knownCommand, lazy } from '@coxswain/cobra';
import { accessCommand } from '../access-flags.ts';

export const rbac = accessCommand({
  use: 'rbac',
  short: 'Make roles',
  args: knownCommand,
  commands: [
    lazy({
      name: 'minimal',
      short: 'Print the smallest roles that the requests of an audit log need',
      load: async () => (await import('./minimal.ts')).minimal,
    }),
  ],
});
