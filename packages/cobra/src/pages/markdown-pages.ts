/** A Markdown page for each command, in cobra's format. */
import type { Command, CommandNode } from '../command/command.ts';
import { commandPath } from '../command/command-node.ts';
import { flagUsages } from '../help/flag-usages.ts';
import { useLine } from '../help/use-line.ts';
import { neighbours, visibleCommands } from './command-tree.ts';

/** Texts by file name: `kubectl_get.md`. Loads lazy commands. */
export async function markdownPages<C>(root: Command<C>): Promise<ReadonlyMap<string, string>> {
  const nodes = await visibleCommands(root);
  return new Map(nodes.map((node) => [fileName(node), page(node, neighbours(node, nodes))]));
}

const fileName = (node: CommandNode<never>): string => `${commandPath(node).replaceAll(' ', '_')}.md`;

function page<C>(node: CommandNode<C>, beside: readonly CommandNode<C>[]): string {
  const { short = '', long = short, example, run } = node.command;
  const links = beside.map(
    (other) => `* [${commandPath(other)}](${fileName(other)})\t - ${other.command.short ?? ''}\n`,
  );
  return [
    `## ${commandPath(node)}\n\n${short}\n`,
    ...(long === '' ? [] : [`### Synopsis\n\n${long}\n`]),
    ...(run === undefined ? [] : [code(useLine(node))]),
    ...(example === undefined ? [] : [`### Examples\n\n${code(example)}`]),
    ...options('Options', node, ['local', 'persistent']),
    ...options('Options inherited from parent commands', node, ['inherited']),
    ...(links.length === 0 ? [] : [`### SEE ALSO\n\n${links.join('')}`]),
  ].join('\n');
}

const code = (text: string): string => `\`\`\`\n${text.replace(/\n$/, '')}\n\`\`\`\n`;

function options(heading: string, node: CommandNode<never>, origins: readonly string[]): string[] {
  const usages = flagUsages(node.flags.all().filter(({ origin }) => origins.includes(origin)));
  return usages === '' ? [] : [`### ${heading}\n\n${code(usages)}`];
}
