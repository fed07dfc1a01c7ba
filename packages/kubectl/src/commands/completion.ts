import { completionScript, shells, oneOf, type Shell } from '@coxswain/cobra';
import { command, usageError } from '../command.ts';

export const completion = command({
  use: 'completion SHELL',
  long: `Print the completion script for bash, zsh, fish or powershell.

 The script calls kubectl, so it does not need to be regenerated after an upgrade.`,
  example: `  # In bash, for this session
  source <(kubectl completion bash)

  # In zsh, for all sessions
  kubectl completion zsh > "\${fpath[1]}/_kubectl"

  # In fish
  kubectl completion fish | source`,
  disableFlagsInUseLine: true,
  complete: oneOf(shells),
  run(invocation) {
    const [shell, ...more] = invocation.args;
    if (shell === undefined) throw usageError(invocation, 'Shell not specified.');
    if (more.length > 0) throw usageError(invocation, 'Too many arguments. Expected only the shell type.');
    if (!shells.includes(shell as Shell)) throw usageError(invocation, `Unsupported shell type "${shell}".`);
    invocation.context.print(completionScript(shell as Shell, 'kubectl'));
  },
});
