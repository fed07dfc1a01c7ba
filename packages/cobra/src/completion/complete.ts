/** The hidden command that the shells' scripts call: it prints candidates and a directive. */
import { minimumArgs } from '../command/argument-checks.ts';
import type { Command, CommandIo, Invocation, CommandNode, Completion } from '../command/command.ts';
import { isAvailable, nameOf, rootNode, sortedChildren } from '../command/command-node.ts';
import { findCommand } from '../command/find.ts';
import { bareValue, type FlagState } from '../command/flag-set.ts';
import { nearest, parse } from '../invocation.ts';
import { completionDirective, type CompletionResult } from '../command/completion.ts';

export const completionRequests: readonly string[] = ['__complete', '__completeNoDesc'];

export const completionCommand = <C>(root: Command<C>): Command<C> => ({
  kind: 'command',
  use: '__complete [command-line]',
  aliases: ['__completeNoDesc'],
  hidden: true,
  disableFlagParsing: true,
  args: minimumArgs(1),
  persistentPreRun: () => undefined,
  persistentPostRun: () => undefined,
  async run({ args, io, context, calledAs }) {
    const { candidates, directive } = await completeLine(root, args, io, context);
    for (const candidate of candidates) {
      const [line = ''] = candidate.split('\n');
      io.out.write(`${(calledAs === '__completeNoDesc' ? (line.split('\t')[0] ?? '') : line).trim()}\n`);
    }
    io.out.write(`:${directive}\n`);
    io.err.write(`Completion ended with directive: ${directiveNames(directive)}\n`);
  },
});

const nothing: CompletionResult = { candidates: [], directive: completionDirective.default };

/** Completes the last word of a command line. */
export async function completeLine<C>(
  root: Command<C>,
  args: readonly string[],
  io: CommandIo,
  context: C,
): Promise<CompletionResult> {
  const before = args.slice(0, -1);
  const typed = args.at(-1) ?? '';
  const found = await findCommand(rootNode(root), before).catch(() => undefined);
  if (found === undefined) {
    io.err.write(`[Debug] [Error] unable to find a command for arguments: [${before.join(' ')}]\n`);
    return nothing;
  }
  const { node } = found;
  const place = flagPlace(node, found.args, typed);
  if (place.kind === 'unknown')
    return fail(io, `Subcommand '${node.name}' does not support flag '${place.name}'`);
  let invocation: Invocation<C>;
  try {
    invocation = parse(node, place.kind === 'value' ? place.args : found.args, io, context);
  } catch (failure) {
    return fail(
      io,
      `Error while parsing flags from args [${found.args.join(' ')}]: ${(failure as Error).message}`,
    );
  }
  if (place.kind === 'value') {
    return completeWith(
      node,
      place.state.flag.complete as Completion<C> | undefined,
      invocation,
      place.typed,
    );
  }
  if (place.kind === 'name' && invocation.argsLengthAtDash < 0) return flagNames(node, typed);
  return completeArgument(node, invocation, typed);
}

function fail(io: CommandIo, message: string): CompletionResult {
  io.err.write(`[Debug] [Error] ${message}\n`);
  return nothing;
}

type Place =
  | { readonly kind: 'argument' }
  | { readonly kind: 'name' }
  | { readonly kind: 'unknown'; readonly name: string }
  | {
      readonly kind: 'value';
      readonly state: FlagState;
      readonly typed: string;
      readonly args: readonly string[];
    };

/** Whether the cursor is at an option's name, at its value, or at an argument. */
function flagPlace(node: CommandNode<never>, args: readonly string[], typed: string): Place {
  if (node.command.disableFlagParsing || args.includes('--')) return { kind: 'argument' };
  if (typed.startsWith('-')) {
    const equals = typed.indexOf('=');
    if (equals < 0) return { kind: 'name' };
    const state = namedFlag(node, typed.slice(0, equals));
    if (state === undefined) return { kind: 'unknown', name: typed.slice(0, equals).replace(/^-+/, '') };
    return { kind: 'value', state, typed: typed.slice(equals + 1), args };
  }
  const last = args.at(-1);
  if (last === undefined || !last.startsWith('-') || last.includes('=') || last === '-')
    return { kind: 'argument' };
  const state = namedFlag(node, last);
  if (state === undefined || bareValue(state.flag) !== undefined) return { kind: 'argument' };
  return { kind: 'value', state, typed, args: args.slice(0, -1) };
}

const namedFlag = (node: CommandNode<never>, word: string): FlagState | undefined =>
  word.startsWith('--') ? node.flags.lookup(word.slice(2)) : node.flags.byShorthand(word.slice(-1));

function flagNames(node: CommandNode<never>, typed: string): CompletionResult {
  const visible = node.flags
    .all()
    .filter(
      ({ flag, changed }) => !flag.hidden && !flag.deprecated && (!changed || repeatable(flag.kind.typeName)),
    );
  const candidates = visible.flatMap(({ name, flag }) =>
    [`--${name}`, ...(flag.shorthand === undefined ? [] : [`-${flag.shorthand}`])]
      .filter((word) => word.startsWith(typed))
      .map((word) => `${word}\t${flag.usage}`),
  );
  return { candidates, directive: completionDirective.noFiles };
}

const repeatable = (typeName: string): boolean => /Slice|Array|stringToString/.test(typeName);

async function completeArgument<C>(
  node: CommandNode<C>,
  invocation: Invocation<C>,
  typed: string,
): Promise<CompletionResult> {
  const names =
    invocation.args.length > 0
      ? []
      : sortedChildren(node)
          .filter((entry) => isAvailable(entry) || nameOf(entry) === 'help')
          .filter((entry) => nameOf(entry).startsWith(typed))
          .map((entry) => `${nameOf(entry)}\t${entry.short ?? ''}`);
  if (node.command.complete === undefined) {
    return names.length === 0 && (node.command.commands ?? []).length === 0
      ? nothing
      : { candidates: names, directive: completionDirective.noFiles };
  }
  const more = await completeWith(node, node.command.complete, invocation, typed);
  return { candidates: [...names, ...more.candidates], directive: more.directive };
}

/** The hook that prepares commands also prepares completion. */
async function completeWith<C>(
  node: CommandNode<C>,
  completion: Completion<C> | undefined,
  invocation: Invocation<C>,
  typed: string,
): Promise<CompletionResult> {
  if (completion === undefined) return nothing;
  await nearest(node, 'persistentPreRun')?.(invocation);
  return completion(invocation, typed);
}

function directiveNames(directive: number): string {
  const names = [
    [completionDirective.error, 'Error'],
    [completionDirective.noSpace, 'NoSpace'],
    [completionDirective.noFiles, 'NoFileComp'],
    [completionDirective.filterFileExtension, 'FilterFileExt'],
    [completionDirective.filterDirectories, 'FilterDirs'],
    [completionDirective.keepOrder, 'KeepOrder'],
  ] as const;
  const set = names.filter(([bit]) => (directive & bit) !== 0).map(([, name]) => `ShellCompDirective${name}`);
  return set.length === 0 ? 'ShellCompDirectiveDefault' : set.join(', ');
}
