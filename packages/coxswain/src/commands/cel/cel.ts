import { commandFor, knownCommand, lazy } from '@coxswain/cobra';
import type { ProgramIo } from '../../program/program-io.ts';

const command = commandFor<ProgramIo>();

export const cel = command({
  use: 'cel',
  short: 'Evaluate CEL expressions',
  long: 'Evaluates Common Expression Language (CEL) expressions as the API server does in policies, webhooks and\ncustom resources. Needs no server.',
  args: knownCommand,
  commands: [
    lazy({
      name: 'eval',
      short: 'Evaluate an expression and print its value and cost',
      load: async () => (await import('./eval.ts')).evaluate,
    }),
  ],
});
