/** The help and usage texts of a command, in the style of the nearest command that has one. */

import type { CommandNode, HelpStyle } from '../command/command.ts';
import { plainStyle } from './plain-style.ts';

export function styleOf(node: CommandNode<never>): HelpStyle {
  for (let at: CommandNode<never> | undefined = node; at !== undefined; at = at.parent) {
    if (at.command.style !== undefined) return at.command.style;
  }
  return plainStyle;
}

export const helpText = async (node: CommandNode<never>, columns?: number): Promise<string> =>
  styleOf(node).help(node, columns, await node.command.listed?.());

export const usageText = async (node: CommandNode<never>, columns?: number): Promise<string> =>
  styleOf(node).usage(node, columns, await node.command.listed?.());
