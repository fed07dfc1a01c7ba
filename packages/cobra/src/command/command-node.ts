import { commandName, loadCommand, type Command, type LazyCommand, type CommandNode } from './command.ts';
import { bool } from './flag-kinds.ts';
import { FlagSet } from './flag-set.ts';
import type { FlagTable } from './flag.ts';

export function rootNode<C>(command: Command<C>): CommandNode<C> {
  const name = commandName(command as Command<never>);
  return { command, name, calledAs: name, parent: undefined, flags: flagsOf(command, undefined, name) };
}

export async function enter<C>(
  parent: CommandNode<C>,
  entry: Command<C> | LazyCommand<C>,
  calledAs: string,
): Promise<CommandNode<C>> {
  const command = await loadCommand(entry);
  const name = commandName(command as Command<never>);
  return { command, name, calledAs, parent, flags: flagsOf(command, parent, name) };
}

function flagsOf<C>(command: Command<C>, parent: CommandNode<C> | undefined, name: string): FlagSet {
  const flags = new FlagSet()
    .add(command.flags ?? {}, 'local')
    .add(command.persistentFlags ?? {}, 'persistent');
  for (let above = parent; above !== undefined; above = above.parent) {
    flags.add(above.command.persistentFlags ?? {}, 'inherited');
  }
  return flags.add(builtInFlags(command, name, flags), 'local');
}

function builtInFlags<C>(command: Command<C>, name: string, flags: FlagSet): FlagTable {
  const letter = (shorthand: string) => (flags.byShorthand(shorthand) === undefined ? { shorthand } : {});
  return {
    help: bool({ usage: `help for ${name}`, ...letter('h') }),
    ...(command.version === undefined
      ? {}
      : { version: bool({ usage: `version for ${name}`, ...letter('v') }) }),
  };
}

/** `kubectl create deployment` */
export const commandPath = (node: CommandNode<never>): string =>
  node.parent === undefined ? node.name : `${commandPath(node.parent)} ${node.name}`;

export const rootOf = <C>(node: CommandNode<C>): CommandNode<C> =>
  node.parent === undefined ? node : rootOf(node.parent);

export const childrenOf = <C>(node: CommandNode<C>): readonly (Command<C> | LazyCommand<C>)[] =>
  node.command.commands ?? [];

/** Children sorted by name, as help and completion list them. */
export const sortedChildren = <C>(node: CommandNode<C>): (Command<C> | LazyCommand<C>)[] =>
  [...childrenOf(node)].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

export const nameOf = (entry: Command<never> | LazyCommand<never>): string => commandName(entry);

export const isAvailable = (entry: Command<never> | LazyCommand<never>): boolean =>
  entry.hidden !== true && entry.deprecated === undefined;
