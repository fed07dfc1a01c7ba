/** `coxswain completion`: prints completion scripts for shells. */

import { commandFor, completionScript, exactArgs, oneOf, shells, type Shell } from '@coxswain/cobra';
import type { ProgramIo } from '../program/program-io.ts';

const command = commandFor<ProgramIo>();

export const completion = command({
  use: 'completion SHELL',
  short: 'Generate the shell completion script',
  long: 'Prints the completion script for bash, zsh, fish or powershell. It completes coxswain, kubectl and the other\nprograms included. The script calls coxswain, so it does not need to be regenerated after an upgrade.',
  example:
    '  source <(coxswain completion bash)\n  coxswain completion zsh > "${fpath[1]}/_coxswain"\n  coxswain completion fish | source',
  args: exactArgs(1),
  complete: oneOf(shells),
  run({ args, io }) {
    const shell = args[0] as Shell;
    if (!shells.includes(shell))
      throw new Error(`unsupported shell "${shell}": must be one of ${shells.join(', ')}`);
    io.out.write(completionScript(shell, 'coxswain'));
  },
});
