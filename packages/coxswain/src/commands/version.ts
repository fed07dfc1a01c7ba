import { commandFor, noArgs } from '@coxswain/cobra';
import type { ProgramIo } from '../program/program-io.ts';
import { coxswainVersion, kubernetesVersion } from '../program/version.ts';

const command = commandFor<ProgramIo>();

export const version = command({
  use: 'version',
  short: 'Print the version',
  args: noArgs,
  run: ({ io }) =>
    void io.out.write(
      `coxswain ${coxswainVersion} (Kubernetes ${kubernetesVersion}, Node ${process.versions.node})\n`,
    ),
});
