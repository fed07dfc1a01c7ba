import { lazy } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const auth = command({
  use: 'auth',
  long: 'Ask who one is and what one may do.',
  run: showHelpOnErrorOrRefuse,
  commands: [
    lazy({
      name: 'can-i',
      short: 'Ask whether something is allowed',
      load: async () => (await import('./can-i.ts')).canI,
    }),
    lazy({
      name: 'reconcile',
      short: 'Add the rules and subjects of RBAC objects in files',
      load: async () => (await import('./reconcile.ts')).reconcile,
    }),
    lazy({
      name: 'whoami',
      short: 'Show who the server takes one for',
      load: async () => (await import('./whoami.ts')).whoami,
    }),
  ],
});
