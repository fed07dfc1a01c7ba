import { commandPath } from '../command/command-node.ts';
import type { CommandNode } from '../command/command.ts';

/** `kubectl get TYPE [flags]`: the parents' names and the command's own usage line. */
export function useLine(node: CommandNode<never>): string {
  const { use, disableFlagsInUseLine } = node.command;
  const line = node.parent === undefined ? use : `${commandPath(node.parent)} ${use}`;
  return disableFlagsInUseLine || line.includes('[flags]') ? line : `${line} [flags]`;
}
