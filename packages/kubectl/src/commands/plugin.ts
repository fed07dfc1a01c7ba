import { bool, commandName, type CommandNode } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { pluginFiles, pluginPrefix } from '../plugins/plugin-files.ts';
import { isExecutable } from '../plugins/run.ts';

const list = command({
  use: 'list [flags]',
  short: 'List the plugins on PATH',
  long: 'List all plugins, which are the files on PATH whose names start with kubectl-.',
  flags: { nameOnly: bool({ usage: 'Print plugin names only, without their paths.' }) },
  async run({ context, flags, node }) {
    const builtIn = commandNames(node);
    const warnings: string[] = [];
    const lines: string[] = [];
    const seen = new Map<string, string>();
    const unreadable = (directory: string) =>
      context.printError(
        `Unable to read directory "${directory}" from your PATH: open ${directory}: no such file or directory. Skipping...\n`,
      );
    for (const { name, path } of await pluginFiles(context.io.env, unreadable)) {
      lines.push(flags.nameOnly ? name : path);
      warnings.push(...(await warningsOf(name, path, builtIn, seen.get(name))));
      if (!seen.has(name)) seen.set(name, path);
    }
    if (lines.length === 0) throw new Error('unable to find any kubectl plugins in your PATH');
    context.print(
      `The following compatible plugins are available:\n\n${lines.map((line) => `${line}\n`).join('')}`,
    );
    context.printError(warnings.map((warning) => `  - warning: ${warning}\n`).join(''));
    if (warnings.length === 1) throw new Error('one plugin warning was found');
    if (warnings.length > 1) throw new Error(`${warnings.length} plugin warnings were found`);
  },
});

/** The names of all commands of the program. */
function commandNames(node: CommandNode<CommandContext>): ReadonlySet<string> {
  if (node.parent !== undefined) return commandNames(node.parent);
  return new Set((node.command.commands ?? []).map(commandName));
}

async function warningsOf(
  name: string,
  path: string,
  builtIn: ReadonlySet<string>,
  hiddenBy: string | undefined,
): Promise<string[]> {
  const [first = ''] = name.slice(pluginPrefix.length).split('-');
  const warnings = builtIn.has(first) ? [`${name} overwrites existing command: "kubectl ${first}"`] : [];
  if (!(await isExecutable(path)))
    return [...warnings, `${path} identified as a kubectl plugin, but it is not executable`];
  return hiddenBy === undefined
    ? warnings
    : [...warnings, `${path} is overshadowed by a similarly named plugin: ${hiddenBy}`];
}

export const plugin = command({
  use: 'plugin [flags]',
  long: 'Work with plugins: programs on PATH named kubectl-NAME, which add the command NAME.',
  run: showHelpOnErrorOrRefuse,
  commands: [list],
});
