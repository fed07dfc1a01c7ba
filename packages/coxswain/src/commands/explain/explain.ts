import { knownCommand, lazy } from '@coxswain/cobra';
import { accessCommand } from '../access-flags.ts';

export const explain = accessCommand({
  use: 'explain',
  short: 'Print why something is as it is',
  args: knownCommand,
  commands: [
    lazy({
      name: 'pod',
      short: 'Print why a pod is on its node, or on none',
      load: async () => (await import('./pod.ts')).pod,
    }),
  ],
});
