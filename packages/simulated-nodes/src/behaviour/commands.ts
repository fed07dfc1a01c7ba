/**
 * The commands whose outcome depends on nothing but their words, so that a container costs no more than a timer: what they
 * print, how long they take and their exit codes. All other known commands are executed.
 */
import { isShellName } from '../process/shell-executables.ts';
import { digitsOfPi } from './digits-of-pi.ts';

export interface CommandResult {
  readonly afterMs: number;
  readonly exitCode: number;
  /** Lines. */
  readonly output: readonly string[];
}

type Command = (args: readonly string[]) => CommandResult | undefined;

const prints = (...output: string[]): CommandResult => ({ afterMs: 0, exitCode: 0, output });
const ends = (exitCode: number, afterMs = 0): CommandResult => ({ afterMs, exitCode, output: [] });

const commands: Readonly<Record<string, Command>> = {
  true: () => ends(0),
  ':': () => ends(0),
  trap: () => ends(0),
  false: () => ends(1),
  exit: ([code = '0']) => ends(Number(code) % 256 || 0),
  sleep: ([time = '']) => (time === 'infinity' || time === 'inf' ? undefined : ends(0, sleepMs(time))),
  echo: (args) => (args[0]?.startsWith('-') ? undefined : prints(...args.join(' ').split('\n'))),
  // The first example in many tutorials about Jobs.
  perl: (args) => {
    const [, count] = /\bbpi\((\d{1,4})\)/.exec(args.at(-1) ?? '') ?? [];
    return count === undefined ? undefined : prints(digitsOfPi(Number(count)));
  },
};

/** Returns undefined if the command is unknown, never ends, or depends on anything but its words. */
export function runCommand(argv: readonly string[]): CommandResult | undefined {
  const [path = '', ...args] = argv;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const script = scriptOf(argv);
  if (script !== undefined) return args[0] === '-c' ? runScript(script) : undefined;
  // The kubelet replaces references to variables.
  if (args.some((arg) => arg.includes('$('))) return undefined;
  return Object.hasOwn(commands, name) ? commands[name]!(args) : undefined;
}

/** The script of `sh -c …` or `sh -e -c …`, and what stands before it; undefined for any other command. */
export function scriptOf([path = '', ...args]: readonly string[]): string | undefined {
  if (!isShellName(path.slice(path.lastIndexOf('/') + 1))) return undefined;
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  return at >= 0 && args.slice(0, at).every(isShellOption) ? args[at + 1] : undefined;
}

/** Also the name after `-o`. */
const isShellOption = (arg: string): boolean => /^-|^(?:errexit|nounset|pipefail|xtrace)$/.test(arg);

/** Words whose effect depends on variables, on files, or on the exit codes of other commands. */
const shellWords =
  /[$`<>|*?\\]|(?:^|[\s;&])(?:\w+=|(?:if|for|while|until|case|read|cd|export|set|\[\[?|[{(!])(?=[\s]))/;

/** Runs commands in sequence. Returns undefined if only a shell knows what the script does. */
export function runScript(script: string): CommandResult | undefined {
  if (shellWords.test(script.replaceAll('||', ' '))) return undefined;
  let afterMs = 0;
  let exitCode = 0;
  const output: string[] = [];
  for (const { text, onlyAfter } of statements(script)) {
    if ((onlyAfter === 'success' && exitCode !== 0) || (onlyAfter === 'failure' && exitCode === 0)) continue;
    const words = wordsOf(text);
    if (words.length === 0) continue;
    const result = runCommand(words);
    if (result === undefined) return undefined;
    afterMs += result.afterMs;
    exitCode = result.exitCode;
    output.push(...result.output);
    if (words[0] === 'exit') break;
  }
  return { afterMs, exitCode, output };
}

interface Statement {
  readonly text: string;
  readonly onlyAfter?: 'success' | 'failure';
}

function* statements(script: string): Iterable<Statement> {
  let onlyAfter: Statement['onlyAfter'];
  // Quoted parts, separators, everything else.
  const parts = script.match(/'[^']*'|"[^"]*"|&&|\|\||[;\n]|[^'";\n&|]+|./g) ?? [];
  let text = '';
  for (const part of [...parts, ';']) {
    if (part !== ';' && part !== '\n' && part !== '&&' && part !== '||') {
      text += part;
      continue;
    }
    if (text.trim() !== '') yield onlyAfter === undefined ? { text } : { text, onlyAfter };
    text = '';
    onlyAfter = part === '&&' ? 'success' : part === '||' ? 'failure' : undefined;
  }
}

/** Without quotes. */
const wordsOf = (text: string): string[] =>
  (text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_whole, single, double) => single ?? double),
  );

const unitsMs: Readonly<Record<string, number>> = {
  '': 1000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

function sleepMs(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text);
  return match === null ? 0 : Number(match[1]) * unitsMs[match[2]!]!;
}
