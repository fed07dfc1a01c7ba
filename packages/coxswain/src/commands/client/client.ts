import { commandFor, knownCommand, lazy } from '@coxswain/cobra';
import type { ProgramIo } from '../../program/program-io.ts';

const command = commandFor<ProgramIo>();

export const client = command({
  use: 'client',
  short: 'Generate TypeScript types of custom resources',
  long: 'Generates TypeScript types from CustomResourceDefinitions, in files or in a cluster.',
  args: knownCommand,
  commands: [
    lazy({
      name: 'generate',
      short: 'Print the types of custom resources',
      load: async () => (await import('./generate.ts')).generate,
    }),
  ],
});
