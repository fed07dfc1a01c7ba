/** Programs that declare their options, and refuse others as BusyBox does. */
import { readOptionWords, type OptionWords } from './option-words.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';

export interface Declaration {
  /** As for `getopt`: letters, each followed by a colon if it takes a value. */
  readonly letters: string;
  /** Short options by long name: `--decode` is `-d`. */
  readonly long?: Readonly<Record<string, string>>;
  /** What follows the name in the usage. */
  readonly synopsis: string;
  readonly operandsMin?: number;
  /** The exit code of a wrong usage. */
  readonly usageCode?: number;
  /** Options end at the first operand, since what follows is another command. */
  readonly isPrefix?: boolean;
}

export interface Options {
  has(letter: string): boolean;
  /** The last value. */
  value(letter: string): string | undefined;
  readonly values: (letter: string) => readonly string[];
  readonly operands: readonly string[];
}

export function withOptions(
  declaration: Declaration,
  /** Undefined if the usage is wrong. */
  run: (process: SimulatedProcess, options: Options) => Promise<number | undefined> | number | undefined,
): Program {
  const { usageCode = 1, operandsMin = 0, synopsis } = declaration;
  return async (process) => {
    const read = readOptions(declaration, process.argv.slice(1));
    const unknown = read.unknown?.replace(/^-(?!-)/, '');
    if (unknown !== undefined) await complain(process, `unrecognized option: ${unknown}`);
    else if (read.operands.length >= operandsMin) {
      const code = await run(process, read);
      if (code !== undefined) return code;
    }
    const name = process.argv[0]!.replace(/.*\//, '');
    await print(process.stderr, `BusyBox v1.37.0 multi-call binary.\n\nUsage: ${name} ${synopsis}\n`);
    return usageCode;
  };
}

/** `unknown` is the first option that is not declared. */
export function readOptions(
  { letters, long = {}, isPrefix = false }: Omit<Declaration, 'synopsis'>,
  words: readonly string[],
): Options & { readonly unknown: string | undefined } {
  const valued = new Set(Array.from(letters.matchAll(/(.):/g), ([, letter]) => `-${letter}`));
  for (const [name, letter] of Object.entries(long)) if (valued.has(`-${letter}`)) valued.add(name);
  const { options, operands }: OptionWords = readOptionWords(words, valued, isPrefix);
  const values = (letter: string): readonly string[] =>
    [...options].flatMap(([name, given]) => (nameIn(long, name) === letter ? given : []));
  const isUnknown = (name: string) => !letters.replaceAll(':', '').includes(nameIn(long, name));
  return {
    operands,
    values,
    has: (letter) => values(letter).length > 0,
    value: (letter) => values(letter).at(-1),
    unknown: [...options.keys()].find(isUnknown),
  };
}

const nameIn = (long: Readonly<Record<string, string>>, name: string): string =>
  name.startsWith('--') ? (Object.hasOwn(long, name) ? long[name]! : name) : name.slice(1);
