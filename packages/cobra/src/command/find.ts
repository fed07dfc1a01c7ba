/** Finds the command that a command line calls, before options are parsed. */
import type { Command, LazyCommand, CommandNode } from './command.ts';
import { childrenOf, commandPath, enter, nameOf } from './command-node.ts';
import { bareValue, type FlagSet, type FlagState } from './flag-set.ts';
import { goQuote } from '../go-quote.ts';
import { suggestionsText } from './suggest.ts';

export interface Found<C> {
  readonly node: CommandNode<C>;
  /** The command line without the names of the commands. */
  readonly args: readonly string[];
}

/** @throws Error `unknown command "x" for "y"`, with suggestions */
export async function findCommand<C>(root: CommandNode<C>, args: readonly string[]): Promise<Found<C>> {
  let node = root;
  let rest = args;
  for (;;) {
    const [next] = withoutFlags(rest, node.flags);
    if (next === undefined) break;
    const child = childNamed(node, next);
    if (child === undefined) break;
    rest = withoutFirst(rest, next, node.flags);
    node = await enter(node, child, next);
  }
  refuseUnknown(node, rest);
  return { node, args: rest };
}

export const childNamed = <C>(node: CommandNode<C>, name: string): Command<C> | LazyCommand<C> | undefined =>
  childrenOf(node).find((child) => nameOf(child) === name || child.aliases?.includes(name));

/** A root with commands takes no arguments of its own, unless it checks them itself. */
function refuseUnknown<C>(node: CommandNode<C>, args: readonly string[]): void {
  if (node.command.args !== undefined || node.parent !== undefined || childrenOf(node).length === 0) return;
  const [unknown] = withoutFlags(args, node.flags);
  if (unknown === undefined) return;
  throw new Error(
    `unknown command ${goQuote(unknown)} for ${goQuote(commandPath(node))}${suggestionsText(node, unknown)}`,
  );
}

/** Whether the next word is the value of this one. */
function takesNext(word: string, flags: FlagSet): boolean {
  if (word.includes('=')) return false;
  if (word.startsWith('--')) {
    return isUnknown(flags.lookup(word.slice(2)));
  }
  if (!word.startsWith('-') || word.length !== 2) return false;
  return isUnknown(flags.byShorthand(word.slice(1)));
}

/** An option that takes a value or is assumed to: at this point, cobra has not added --help yet. */
const isUnknown = (state: FlagState | undefined): boolean =>
  state === undefined || state.name === 'help' || bareValue(state.flag) === undefined;

function withoutFlags(args: readonly string[], flags: FlagSet): string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (word === '--') break;
    if (takesNext(word, flags)) {
      if (at + 1 >= args.length) break;
      at++;
    } else if (word !== '' && !word.startsWith('-')) words.push(word);
  }
  return words;
}

function withoutFirst(args: readonly string[], name: string, flags: FlagSet): string[] {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (word === '--') break;
    if (takesNext(word, flags)) at++;
    else if (word === name) return [...args.slice(0, at), ...args.slice(at + 1)];
  }
  return [...args];
}
