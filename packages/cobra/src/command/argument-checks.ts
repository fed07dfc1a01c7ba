/** Checks of arguments, with cobra's messages. */
import { commandPath } from './command-node.ts';
import { goQuote } from '../go-quote.ts';
import { suggestionsText } from './suggest.ts';
import type { ArgumentCheck, CommandNode } from './command.ts';

/** The number of arguments is wrong. */
export class ArgumentCountError extends Error {
  /** `coxswain backup FILE` */
  readonly usage: string;

  constructor(node: CommandNode<never>, message: string) {
    super(message);
    this.usage = [commandPath(node), ...node.command.use.split(' ').slice(1)].join(' ');
  }
}

/** For a command that only has subcommands: suggests alternatives to a mistyped name. */
export const knownCommand: ArgumentCheck = (node, [name]) => {
  if (name === undefined) return;
  throw new Error(
    `unknown command ${goQuote(name)} for ${goQuote(commandPath(node))}${suggestionsText(node, name)}`,
  );
};

export const noArgs: ArgumentCheck = (node, [first]) => {
  if (first !== undefined) {
    throw new Error(`unknown command ${goQuote(first)} for ${goQuote(commandPath(node))}`);
  }
};

/** The check that servers use. */
export const optionsOnly: ArgumentCheck = (node, args) => {
  if (args.some((arg) => arg !== '')) {
    const given = args.map(goQuote).join(' ');
    throw new Error(`${goQuote(commandPath(node))} does not take any arguments, got [${given}]`);
  }
};

export const anyArgs: ArgumentCheck = () => undefined;

export const minimumArgs = (least: number): ArgumentCheck =>
  function hasMinimumArgs(node, args) {
    if (args.length < least)
      throw new ArgumentCountError(node, `requires at least ${least} arg(s), only received ${args.length}`);
  };

export const maximumArgs = (most: number): ArgumentCheck =>
  function hasMaximumArgs(node, args) {
    if (args.length > most)
      throw new ArgumentCountError(node, `accepts at most ${most} arg(s), received ${args.length}`);
  };

export const exactArgs = (wanted: number): ArgumentCheck =>
  function hasExactArgs(node, args) {
    if (args.length !== wanted)
      throw new ArgumentCountError(node, `accepts ${wanted} arg(s), received ${args.length}`);
  };

export const rangeArgs = (least: number, most: number): ArgumentCheck =>
  function hasArgsInRange(node, args) {
    if (args.length < least || args.length > most) {
      throw new ArgumentCountError(
        node,
        `accepts between ${least} and ${most} arg(s), received ${args.length}`,
      );
    }
  };
