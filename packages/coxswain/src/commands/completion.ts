/** `coxswain completion`: the shells' side of completion. */

import { commandFor, completionScript, exactArgs, oneOf, shells, type Shell } from '@coxswain/cobra';
import type { ProgramIo } from '../program-io.ts';

const command = commandFor<ProgramIo>();

export const completion = command({
  use: 'completion SHELL',
  short: 'Print the script that completes command lines in a shell',
  long: 'Prints the script that completes command lines of coxswain, kubectl and the other programs in it included, in\nbash, zsh, fish or powershell. The script asks coxswain itself, so it need not be renewed with it.',
  example:
    '  source <(coxswain completion bash)\n  coxswain completion zsh > "${fpath[1]}/_coxswain"\n  coxswain completion fish | source',
  args: exactArgs(1),
  complete: oneOf(shells),
  run({ args, io }) {
    const shell = args[0] as Shell;
    if (!shells.includes(shell))
      throw new Error(`there is no script for "${shell}", only for ${shells.join(', ')}`);
    io.out.write(completionScript(shell, 'coxswain'));
  },
});
