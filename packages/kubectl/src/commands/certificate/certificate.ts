import { lazy } from '@coxswain/cobra';
import { command } from '../../command.ts';

export const certificate = command({
  use: 'certificate SUBCOMMAND',
  long: 'Approve or deny certificate signing requests.',
  disableFlagsInUseLine: true,
  run: async ({ io, help }) => void io.out.write(await help()),
  commands: [
    lazy({
      name: 'approve',
      short: 'Approve certificate signing requests',
      load: async () => (await import('./decide.ts')).approve,
    }),
    lazy({
      name: 'deny',
      short: 'Deny certificate signing requests',
      load: async () => (await import('./decide.ts')).deny,
    }),
  ],
});
