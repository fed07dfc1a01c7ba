/** `coxswain rbac`: commands that generate roles. */
import { knownCommand, lazy } from '@coxswain/cobra';
import { accessCommand } from '../access-flags.ts';

export const rbac = accessCommand({
  use: 'rbac',
  short: 'Generate RBAC roles from recorded requests',
  args: knownCommand,
  commands: [
    lazy({
      name: 'minimal',
      short: 'Print the smallest roles that allow the requests in an audit log',
      load: async () => (await import('./minimal.ts')).minimal,
    }),
  ],
});
