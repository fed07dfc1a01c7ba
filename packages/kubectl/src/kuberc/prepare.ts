/** Derives the command line to run from the words that the user typed. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Command } from '@coxswain/cobra';
import type { CommandContext } from '../context.ts';
import { ExitError } from '../errors.ts';
import type { KubectlIo } from '../io.ts';
import type { PreparedCommandLine } from './apply-preferences.ts';
import { loadPreferences } from './load-preferences.ts';
import { preferencesAreEnabled } from './preference-file.ts';

/** @throws ExitError if preferences can't be used */
export async function prepareCommandLine(
  root: Command<CommandContext>,
  args: readonly string[],
  io: KubectlIo,
): Promise<PreparedCommandLine> {
  const plain = { root, args, isAlias: false, pluginPolicy: undefined };
  if (!preferencesAreEnabled(io.env) || args.length === 0) return plain;
  try {
    const preference = await loadPreferences(io, args);
    if (preference === undefined) return plain;
    const { applyPreferences } = await import('./apply-preferences.ts');
    return await applyPreferences(preference, root, args, (text) => io.err.write(text));
  } catch (failure) {
    throw new ExitError(1, `error occurred while applying preferences ${messageOf(failure)}`);
  }
}
