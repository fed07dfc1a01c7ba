import { knownCommand, lazy } from '@coxswain/cobra';
import { accessCommand } from '../access-flags.ts';

export const explain = accessCommand({
  use: 'explain',
  short: 'Explain scheduling decisions',
  args: knownCommand,
  commands: [
    lazy({
      name: 'pod',
      short: 'Explain why a pod was, or was not, assigned to a node',
      load: async () => (await import('./pod.ts')).pod,
    }),
  ],
});
