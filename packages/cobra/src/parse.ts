/** Parses a command line as pflag does. */
import { bareValue, type FlagSet, type FlagState } from './command/flag-set.ts';
import { goQuote } from './go-quote.ts';

/** The command line names an unknown option or gives an option an invalid value. */
export class FlagError extends Error {}

export interface ParsedArguments {
  readonly args: readonly string[];
  /** The number of arguments before `--`; -1 if there is no `--`. */
  readonly argsLengthAtDash: number;
  /** Called for each use of a deprecated option, and for names written with `_`. */
  readonly notices: readonly string[];
}

/**
 * Sets the options in `flags` and returns the remaining arguments.
 * @throws FlagError with pflag's message
 */
export function parseArguments(
  args: readonly string[],
  flags: FlagSet,
  options: { readonly interspersed?: boolean } = {},
): ParsedArguments {
  const rest: string[] = [];
  const notices: string[] = [];
  let argsLengthAtDash = -1;
  for (let at = 0; at < args.length;) {
    const word = args[at++] as string;
    if (word === '--') {
      argsLengthAtDash = rest.length;
      rest.push(...args.slice(at));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      if (options.interspersed === false) {
        rest.push(word, ...args.slice(at));
        break;
      }
      rest.push(word);
    } else if (word.startsWith('--')) at = parseLong(word, args, at, flags, notices);
    else at = parseShorthands(word, args, at, flags, notices);
  }
  return { args: rest, argsLengthAtDash, notices };
}

/** Returns the index of the next argument. */
function parseLong(
  word: string,
  args: readonly string[],
  next: number,
  flags: FlagSet,
  notices: string[],
): number {
  const body = word.slice(2);
  if (body.startsWith('-') || body.startsWith('=')) throw new FlagError(`bad flag syntax: ${word}`);
  const equals = body.indexOf('=');
  const name = equals < 0 ? body : body.slice(0, equals);
  const state = flags.lookup(name);
  if (state === undefined) throw new FlagError(`unknown flag: --${name}`);
  const bare = bareValue(state.flag);
  if (equals >= 0) setFlag(state, body.slice(equals + 1), notices);
  else if (bare !== undefined) setFlag(state, bare, notices);
  else if (next < args.length) setFlag(state, args[next++] as string, notices);
  else throw new FlagError(`flag needs an argument: --${name}`);
  return next;
}

/** `-it`, `-oyaml`, `-o=yaml`, `-o yaml`. */
function parseShorthands(
  word: string,
  args: readonly string[],
  next: number,
  flags: FlagSet,
  notices: string[],
): number {
  for (let letters = word.slice(1); letters !== '';) {
    const letter = letters[0] as string;
    const state = flags.byShorthand(letter);
    if (state === undefined) throw new FlagError(`unknown shorthand flag: ${goRune(letter)} in -${letters}`);
    if (state.flag.shorthandDeprecated !== undefined) {
      notices.push(`Flag shorthand -${letter} has been deprecated, ${state.flag.shorthandDeprecated}\n`);
    }
    const bare = bareValue(state.flag);
    if (letters.length > 2 && letters[1] === '=') {
      setFlag(state, letters.slice(2), notices);
      return next;
    }
    if (bare !== undefined) {
      setFlag(state, bare, notices);
      letters = letters.slice(1);
      continue;
    }
    if (letters.length > 1) setFlag(state, letters.slice(1), notices);
    else if (next < args.length) setFlag(state, args[next++] as string, notices);
    else throw new FlagError(`flag needs an argument: ${goRune(letter)} in -${letters}`);
    return next;
  }
  return next;
}

const goRune = (letter: string): string => `'${letter === "'" ? "\\'" : goQuote(letter).slice(1, -1)}'`;

function setFlag(state: FlagState, text: string, notices: string[]): void {
  const { flag, name } = state;
  try {
    state.value = flag.kind.read(text, state.value, state.changed);
  } catch (failure) {
    const shown =
      flag.shorthand !== undefined && flag.shorthandDeprecated === undefined
        ? `-${flag.shorthand}, --${name}`
        : `--${name}`;
    throw new FlagError(
      `invalid argument ${goQuote(text)} for ${goQuote(shown)} flag: ${(failure as Error).message}`,
    );
  }
  state.changed = true;
  if (flag.deprecated !== undefined) notices.push(`Flag --${name} has been deprecated, ${flag.deprecated}\n`);
}
