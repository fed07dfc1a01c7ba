import type { Command, CommandIo } from './command/command.ts';
import { execute } from './execute.ts';

/**
 * Runs a program and returns its exit code: 0, or 1 with `Error: …` on standard error. Programs whose errors look
 * different call {@link execute} themselves.
 */
export async function runProgram<C>(
  root: Command<C>,
  args: readonly string[],
  io: CommandIo,
  context: C,
): Promise<number> {
  try {
    await execute(root, args, io, context);
    return 0;
  } catch (failure) {
    io.err.write(`Error: ${failure instanceof Error ? failure.message : String(failure)}\n`);
    return 1;
  }
}
