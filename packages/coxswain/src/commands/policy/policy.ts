import { commandFor, knownCommand, lazy } from '@coxswain/cobra';
import type { ProgramIo } from '../../program-io.ts';

const command = commandFor<ProgramIo>();

export const policy = command({
  use: 'policy',
  short: 'Try admission policies',
  long: 'Tries ValidatingAdmissionPolicies and MutatingAdmissionPolicies. No server is needed.',
  args: knownCommand,
  commands: [
    lazy({
      name: 'test',
      short: 'Test policies by cases in YAML, or by an audit log',
      load: async () => (await import('./test.ts')).test,
    }),
  ],
});
