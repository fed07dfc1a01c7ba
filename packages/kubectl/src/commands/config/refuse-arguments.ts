/** Shared code of the config commands. */
import type { Invocation } from '@coxswain/cobra';
import type { CommandContext } from '../../context.ts';

/** For wrong arguments: prints the help, then the error. */
export async function refuseArguments(
  invocation: Invocation<CommandContext>,
  message = `Unexpected args: [${invocation.args.join(' ')}]`,
): Promise<never> {
  invocation.io.out.write(await invocation.help());
  throw new Error(message);
}
