import { lazy } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const auth = command({
  use: 'auth',
  long: 'Inspect your identity and permissions.',
  run: showHelpOnErrorOrRefuse,
  commands: [
    lazy({
      name: 'can-i',
      short: 'Check whether an action is allowed',
      load: async () => (await import('./can-i.ts')).canI,
    }),
    lazy({
      name: 'reconcile',
      short: 'Reconcile RBAC roles and bindings with those in files',
      load: async () => (await import('./reconcile.ts')).reconcile,
    }),
    lazy({
      name: 'whoami',
      short: 'Show the user as whom the server authenticates you',
      load: async () => (await import('./whoami.ts')).whoami,
    }),
  ],
});
