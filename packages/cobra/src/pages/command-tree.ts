/** Every command of a tree that help would show, loaded, parents first. */
import type { Command, CommandNode } from '../command/command.ts';
import { enter, isAvailable, nameOf, rootNode, sortedChildren } from '../command/command-node.ts';

export async function visibleCommands<C>(root: Command<C>): Promise<CommandNode<C>[]> {
  return below(rootNode(root));
}

async function below<C>(node: CommandNode<C>): Promise<CommandNode<C>[]> {
  const found = [node];
  for (const child of sortedChildren(node).filter(isAvailable))
    found.push(...(await below(await enter(node, child, nameOf(child)))));
  return found;
}

/** Related commands: the parent, then the children. */
export function neighbours<C>(
  node: CommandNode<C>,
  all: readonly CommandNode<C>[],
): readonly CommandNode<C>[] {
  const children = all.filter((other) => other.parent === node);
  return node.parent === undefined ? children : [node.parent, ...children];
}
