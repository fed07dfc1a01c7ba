import type { ListedCommand } from './command.ts';
import type { CommandNode } from './command-node.ts';

/** How a program's help, usage and complaints about options look. */
export interface HelpStyle {
  help(node: CommandNode<never>, columns?: number, listed?: readonly ListedCommand[]): string;
  usage(node: CommandNode<never>, columns?: number, listed?: readonly ListedCommand[]): string;
  /** The error that tells a user about a wrong option. */
  flagError?(failure: Error, node: CommandNode<never>): Error;
}
