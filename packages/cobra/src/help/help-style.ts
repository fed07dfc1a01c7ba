import type { ListedCommand } from '../command.ts';
import type { CommandNode } from '../command-node.ts';
import { plainStyle } from './plain-style.ts';

/** How a program's help, usage and complaints about options look. */
export interface HelpStyle {
  help(node: CommandNode<never>, columns?: number, listed?: readonly ListedCommand[]): string;
  usage(node: CommandNode<never>, columns?: number, listed?: readonly ListedCommand[]): string;
  /** The error that tells a user about a wrong option. */
  flagError?(failure: Error, node: CommandNode<never>): Error;
}

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
