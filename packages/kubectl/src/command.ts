/** kubectl's commands: each completes its options, validates them, and runs. */
import { commandFor, type Invocation, type TextWriter } from '@coxswain/cobra';
import type { CommandContext } from './context.ts';
import { ExitError } from './errors.ts';

export const command = commandFor<CommandContext>();

export type { Invocation } from '@coxswain/cobra';

/** The error for wrong arguments, with a hint to the command's help. */
export const usageError = (invocation: Pick<Invocation, 'commandPath'>, message: string): Error =>
  new Error(`${message}\nSee '${invocation.commandPath} -h' for help and examples`);

/** The action of a command without one of its own: shows its help, or refuses unknown subcommands. */
export const showHelpOrRefuse = (invocation: Invocation<CommandContext>): Promise<void> =>
  helpOrRefuse(invocation, invocation.io.out);

/** The same, with the help on standard error, as commands that create or change things show it. */
export const showHelpOnErrorOrRefuse = (invocation: Invocation<CommandContext>): Promise<void> =>
  helpOrRefuse(invocation, invocation.io.err);

async function helpOrRefuse(invocation: Invocation<CommandContext>, writer: TextWriter): Promise<void> {
  if (invocation.args.length > 0) {
    throw usageError(invocation, `unknown command "${invocation.args.join(' ')}"`);
  }
  writer.write(await invocation.help());
  throw new ExitError(1);
}

/** The single NAME that many commands require. */
export function nameFromArguments(invocation: Invocation<CommandContext>): string {
  // The arguments after `--` are a command to run in a container, not names.
  const { args, argsLengthAtDash } = invocation;
  const count = argsLengthAtDash >= 0 ? argsLengthAtDash : args.length;
  if (count !== 1) throw usageError(invocation, `exactly one NAME is required, got ${count}`);
  return args[0] as string;
}
