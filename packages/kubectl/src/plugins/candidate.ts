import { rootCommandNames } from '../root.ts';

/** Built-in commands below which plugins may add more. */
const extensible = ['create'];

/** Whether a command line may mean a plugin: it begins with a word that is no command. */
export async function pluginCandidate(args: readonly string[]): Promise<boolean> {
  const [first, second] = args;
  if (first === undefined || first.startsWith('-')) return false;
  if (!rootCommandNames.includes(first)) return true;
  if (!extensible.includes(first) || second === undefined || second.startsWith('-')) return false;
  const { create } = await import('../commands/create/create.ts');
  return !(create.commands ?? []).some(
    (entry) => entry.kind === 'lazy' && (entry.name === second || entry.aliases?.includes(second)),
  );
}
