import { commandFor, knownCommand, lazy } from '@coxswain/cobra';
import type { ProgramIo } from '../../program/program-io.ts';

const command = commandFor<ProgramIo>();

export const crd = command({
  use: 'crd',
  short: 'Generate CustomResourceDefinitions from TypeScript',
  long: 'Generates CustomResourceDefinitions from TypeScript interfaces. Needs no server.',
  args: knownCommand,
  commands: [
    lazy({
      name: 'generate',
      short: 'Print the definitions of the kinds in TypeScript files',
      load: async () => (await import('./generate.ts')).generate,
    }),
  ],
});
