import { commandFor, knownCommand, lazy } from '@coxswain/cobra';
import type { ProgramIo } from '../../program-io.ts';

const command = commandFor<ProgramIo>();

export const cel = command({
  use: 'cel',
  short: 'Try expressions of the Common Expression Language',
  long: 'Tries expressions as the API server has them in policies, webhooks and custom resources. No server is needed.',
  args: knownCommand,
  commands: [
    lazy({
      name: 'eval',
      short: 'Evaluate an expression, with its cost and its steps',
      load: async () => (await import('./eval.ts')).evaluate,
    }),
  ],
});
