import type { CommandIo, Invocation, CommandNode } from './command/command.ts';
import { commandPath } from './command/command-node.ts';
import { helpText, styleOf } from './help/help-text.ts';
import { FlagError, parseArguments } from './parse.ts';

/** Parses the options of a command. Completion uses it, too. */
export function parse<C>(
  node: CommandNode<C>,
  args: readonly string[],
  io: CommandIo,
  context: C,
): Invocation<C> {
  const parsed = parseOrExplain(node, args);
  for (const notice of parsed.notices) io.err.write(notice);
  return {
    context,
    args: parsed.args,
    argsLengthAtDash: parsed.argsLengthAtDash,
    flags: node.flags.values() as Invocation<C>['flags'],
    changed: (key) => node.flags.changed(key),
    commandPath: commandPath(node as CommandNode<never>),
    calledAs: node.calledAs,
    node,
    io,
    help: () => helpText(node, io.columns),
  };
}

function parseOrExplain<C>(node: CommandNode<C>, args: readonly string[]) {
  if (node.command.disableFlagParsing) return { args, argsLengthAtDash: -1, notices: [] };
  try {
    return parseArguments(args, node.flags, { interspersed: node.command.notInterspersed !== true });
  } catch (failure) {
    if (!(failure instanceof FlagError)) throw failure;
    throw styleOf(node).flagError?.(failure, node as CommandNode<never>) ?? failure;
  }
}

/** The persistent hook of the command itself, or of its nearest ancestor that has one. */
export function nearest<C>(
  node: CommandNode<C>,
  hook: 'persistentPreRun' | 'persistentPostRun',
): ((invocation: Invocation<C>) => Promise<void> | void) | undefined {
  for (let at: CommandNode<C> | undefined = node; at !== undefined; at = at.parent) {
    const body = at.command[hook];
    if (body !== undefined) return body.bind(at.command);
  }
  return undefined;
}
