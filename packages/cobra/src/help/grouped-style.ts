/** kubectl's style: commands under headings, each option with its default on its own line. */
import { childNamed } from '../command/find.ts';
import { shownDefault, type FlagState } from '../command/flag-set.ts';
import { childrenOf, commandPath, isAvailable, rootOf } from '../command/command-node.ts';
import type { CommandNode, ListedCommand, HelpStyle } from '../command/command.ts';
import { commandGroups, commandLines, listedLine } from './command-list.ts';
import { useLine } from './use-line.ts';
import { wordWrap } from './word-wrap.ts';

/** Commands that the root's list leaves out. */
const leftOut = ['options', 'help'];

export const groupedStyle: HelpStyle = {
  help(node, columns, listed) {
    const about = (node.command.long ?? node.command.short ?? '').trim();
    const usage =
      node.command.run === undefined && childrenOf(node).length === 0
        ? ''
        : groupedStyle.usage(node, columns, listed);
    return about + usage;
  },
  usage: (node, columns, listed = []) => `\n\n${sections(node, listed, columns).join('')}`,
  flagError: (failure, node) =>
    new Error(
      node.calledAs === 'options'
        ? `${failure.message}\nRun '${commandPath(node)}' without flags.`
        : `${failure.message}\nSee '${commandPath(node)} --help' for usage.`,
    ),
};

function sections(node: CommandNode<never>, listed: readonly ListedCommand[], columns?: number): string[] {
  const { aliases, example, run } = node.command;
  const own = node.flags.all().filter(({ name, origin }) => origin === 'local' && name !== 'help');
  const options = flagList(own, columns);
  const line = useLine(node);
  return [
    aliases?.length ? `Aliases:\n${[node.name, ...aliases].join(', ')}\n\n` : '',
    example === undefined ? '' : `Examples:\n${example.trimEnd()}\n\n`,
    childrenOf(node).some((entry) => isAvailable(entry)) ? `${commandList(node, listed)}\n\n` : '',
    options === '' ? '' : `Options:\n${options.trimEnd()}\n\n`,
    run === undefined || line === commandPath(rootOf(node)) ? '' : `Usage:\n  ${withOptions(line)}\n\n`,
    childrenOf(node).length === 0
      ? ''
      : `Use "${commandPath(node)} <command> --help" for more information about a given command.\n`,
    run === undefined ? '' : optionsTip(node),
  ];
}

const withOptions = (line: string): string => (line.includes('[options]') ? line : `${line} [options]`);

function optionsTip(node: CommandNode<never>): string {
  const root = rootOf(node);
  return childNamed(root, 'options') === undefined
    ? ''
    : `Use "${commandPath(root)} options" for a list of global command-line options (applies to all commands).\n`;
}

function commandList(node: CommandNode<never>, listed: readonly ListedCommand[]): string {
  if (node.parent !== undefined || node.command.groups === undefined) {
    return ['Available Commands:', ...commandLines(node)].join('\n');
  }
  return commandGroups(node, 'Other Commands:', leftOut)
    .map(({ heading, entries }) => {
      const others = listed.filter(({ group }) => group === heading).map(listedLine);
      return [heading, ...commandLines(node, entries), ...others].join('\n');
    })
    .join('\n\n');
}

/** The options of a command, one block each. */
export function flagList(states: readonly FlagState[], columns?: number): string {
  return states
    .filter(({ flag }) => flag.hidden !== true && flag.deprecated === undefined)
    .map((state) => flagBlock(state, columns))
    .join('');
}

/** The columns that the indentation of an option's text takes from the line (kubectl's figure). */
const indentColumns = 10;

function flagBlock({ name, flag }: FlagState, columns?: number): string {
  const shown = shownDefault(flag);
  const value = flag.kind.typeName === 'string' ? `'${shown}'` : shown;
  const head = flag.shorthand === undefined ? `    --${name}` : `    -${flag.shorthand}, --${name}`;
  const usage = flag.usage.replaceAll('\n', ' ');
  const wrapped = columns === undefined ? usage : wordWrap(usage, columns - indentColumns);
  return `${head}=${value}:\n\t${wrapped.replaceAll('\n', '\n\t')}\n\n`;
}
