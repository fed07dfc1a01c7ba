import { globalFlags } from './flags/global.ts';
import { rootCommandNames } from './root.ts';

/** Built-in commands to which plugins may add subcommands. */
const extensible = ['create'];

/** Whether a command line may refer to a plugin: its first word is not a command. */
export async function pluginCandidate(args: readonly string[]): Promise<boolean> {
  const [first, second] = args;
  if (first === undefined) return false;
  if (first.startsWith('-')) {
    const word = firstWord(args);
    return word !== undefined && !rootCommandNames.includes(word);
  }
  if (!rootCommandNames.includes(first)) return true;
  if (!extensible.includes(first) || second === undefined || second.startsWith('-')) return false;
  const { create } = await import('./commands/create/create.ts');
  return !(create.commands ?? []).some(
    (entry) => entry.kind === 'lazy' && (entry.name === second || entry.aliases?.includes(second)),
  );
}

/** Returns the first argument that is neither an option nor the value of one. */
function firstWord(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') return undefined;
    if (!arg.startsWith('-')) return arg;
    if (!arg.includes('=') && (arg.startsWith('--') || arg.length === 2) && !switches.has(arg)) at++;
  }
  return undefined;
}

/** Options without a value; any other option, even an unknown one, is assumed to have a value. */
const switches: ReadonlySet<string> = new Set(
  Object.entries(globalFlags)
    .filter(([, flag]) => flag.kind.typeName === 'bool')
    .flatMap(([key, flag]) => [
      `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      ...(flag.shorthand === undefined ? [] : [`-${flag.shorthand}`]),
    ]),
);
