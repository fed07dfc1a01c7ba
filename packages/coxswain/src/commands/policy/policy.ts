import { commandFor, knownCommand, lazy } from '@coxswain/cobra';
import type { ProgramIo } from '../../program/program-io.ts';

const command = commandFor<ProgramIo>();

export const policy = command({
  use: 'policy',
  short: 'Test admission policies',
  long: 'Tests ValidatingAdmissionPolicies and MutatingAdmissionPolicies. Needs no server.',
  args: knownCommand,
  commands: [
    lazy({
      name: 'test',
      short: 'Test policies against cases in YAML or an audit log',
      load: async () => (await import('./test.ts')).test,
    }),
  ],
});
