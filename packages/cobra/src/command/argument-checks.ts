/** Checks of arguments, with cobra's messages. */
import { commandPath } from './command-node.ts';
import { goQuote } from '../go-quote.ts';
import { suggestionsText } from './suggest.ts';
import type { ArgumentCheck } from './command.ts';

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
  function hasMinimumArgs(_node, args) {
    if (args.length < least)
      throw new Error(`requires at least ${least} arg(s), only received ${args.length}`);
  };

export const maximumArgs = (most: number): ArgumentCheck =>
  function hasMaximumArgs(_node, args) {
    if (args.length > most) throw new Error(`accepts at most ${most} arg(s), received ${args.length}`);
  };

export const exactArgs = (wanted: number): ArgumentCheck =>
  function hasExactArgs(_node, args) {
    if (args.length !== wanted) throw new Error(`accepts ${wanted} arg(s), received ${args.length}`);
  };

export const rangeArgs = (least: number, most: number): ArgumentCheck =>
  function hasArgsInRange(_node, args) {
    if (args.length < least || args.length > most) {
      throw new Error(`accepts between ${least} and ${most} arg(s), received ${args.length}`);
    }
  };
