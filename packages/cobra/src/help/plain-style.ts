/** cobra's own style. */
import { childrenOf, commandPath, isAvailable } from '../command/command-node.ts';
import type { CommandNode, HelpStyle } from '../command/command.ts';
import { commandGroups, commandLines } from './command-list.ts';
import { flagUsages } from './flag-usages.ts';
import { useLine } from './use-line.ts';

export const plainStyle: HelpStyle = {
  help(node, columns) {
    const about = (node.command.long ?? node.command.short ?? '').trim();
    return `${about === '' ? '' : `${about}\n\n`}${plainStyle.usage(node, columns)}`;
  },
  usage(node, columns) {
    const { aliases, example } = node.command;
    const children = childrenOf(node).some((entry) => isAvailable(entry));
    const blocks = [
      block('Usage:', [
        ...(node.command.run === undefined ? [] : [`  ${useLine(node)}`]),
        ...(children ? [`  ${commandPath(node)} [command]`] : []),
      ]),
      block('Aliases:', aliases?.length ? [`  ${[node.name, ...aliases].join(', ')}`] : []),
      block('Examples:', example === undefined ? [] : [example.trimEnd()]),
      ...commandBlocks(node),
      block('Flags:', flagLines(node, ['local', 'persistent'], columns)),
      block('Global Flags:', flagLines(node, ['inherited'], columns)),
      children ? `Use "${commandPath(node)} [command] --help" for more information about a command.` : '',
    ];
    return `${blocks.filter((text) => text !== '').join('\n\n')}\n`;
  },
};

const block = (heading: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [heading, ...lines].join('\n');

function commandBlocks(node: CommandNode<never>): string[] {
  if (!childrenOf(node).some((entry) => isAvailable(entry))) return [];
  const headings = node.command.groups;
  if (headings === undefined) return [block('Available Commands:', commandLines(node))];
  return commandGroups(node, 'Additional Commands:').map(({ heading, entries }) =>
    block(heading, commandLines(node, entries)),
  );
}

function flagLines(node: CommandNode<never>, origins: readonly string[], columns?: number): string[] {
  const text = flagUsages(
    node.flags.all().filter(({ origin }) => origins.includes(origin)),
    columns,
  );
  return text === '' ? [] : [text.trimEnd()];
}
