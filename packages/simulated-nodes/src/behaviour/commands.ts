/** The commands that need no shell: what they print, how long they take and their exit codes. */
import { isShellName } from '../process/shell-executables.ts';

export interface CommandResult {
  readonly afterMs: number;
  readonly exitCode: number;
  /** Lines. */
  readonly output: readonly string[];
}

export interface CommandSurroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly hostname: string;
}

type Command = (args: readonly string[], surroundings: CommandSurroundings) => CommandResult | undefined;

const prints = (...output: string[]): CommandResult => ({ afterMs: 0, exitCode: 0, output });
const ends = (exitCode: number, afterMs = 0): CommandResult => ({ afterMs, exitCode, output: [] });

const commands: Readonly<Record<string, Command>> = {
  true: () => ends(0),
  ':': () => ends(0),
  trap: () => ends(0),
  false: () => ends(1),
  exit: ([code = '0']) => ends(Number(code) % 256 || 0),
  sleep: ([time = '']) => (time === 'infinity' || time === 'inf' ? undefined : ends(0, sleepMs(time))),
  echo: (args) => prints(args.filter((arg) => arg !== '-n' && arg !== '-e').join(' ')),
  hostname: (args, { hostname }) => (args.length > 0 ? undefined : prints(hostname)),
  env: (args, { env, hostname }) =>
    args.length > 0
      ? undefined
      : prints(`HOSTNAME=${hostname}`, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)),
  printenv: ([name = ''], { env }) => (env[name] === undefined ? ends(1) : prints(env[name])),
  pwd: () => prints('/'),
  uname: () => prints('Linux'),
  // The first example in many tutorials about Jobs.
  perl: () => prints('3.14159265358979323846'),
};

/** Whether it is one of the commands below. */
export const isPlainCommand = (name: string): boolean => Object.hasOwn(commands, name);

/** Returns undefined if the command is unknown or never ends. */
export function runCommand(
  argv: readonly string[],
  surroundings: CommandSurroundings,
): CommandResult | undefined {
  const [path = '', ...args] = argv;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const script = scriptOf(argv);
  if (script !== undefined) return runScript(script, surroundings);
  const known = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return known?.(args, surroundings);
}

/** The script of `sh -c …` or `sh -e -c …`, and what stands before it; undefined for any other command. */
export function scriptOf([path = '', ...args]: readonly string[]): string | undefined {
  if (!isShellName(path.slice(path.lastIndexOf('/') + 1))) return undefined;
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  return at >= 0 && args.slice(0, at).every(isShellOption) ? args[at + 1] : undefined;
}

/** Also the name after `-o`. */
const isShellOption = (arg: string): boolean => /^-|^(?:errexit|nounset|pipefail|xtrace)$/.test(arg);

/** Runs commands in sequence. Scripts with control flow are not supported. */
export function runScript(script: string, surroundings: CommandSurroundings): CommandResult | undefined {
  let afterMs = 0;
  let exitCode = 0;
  const output: string[] = [];
  for (const { text, onlyAfter } of statements(script)) {
    if ((onlyAfter === 'success' && exitCode !== 0) || (onlyAfter === 'failure' && exitCode === 0)) continue;
    const words = wordsOf(text, surroundings);
    if (words.length === 0 || (words[0] === 'set' && words.length > 1)) continue;
    const result = runCommand(words, surroundings);
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

/** Removes quotes and expands variables. Output that is redirected to files is dropped. */
function wordsOf(text: string, { env, hostname }: CommandSurroundings): string[] {
  const words = text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const redirect = words.findIndex((word) => /^[12]?>/.test(word));
  const kept = redirect < 0 ? words : words.slice(0, redirect);
  const value = (name: string) => (name === 'HOSTNAME' ? hostname : (env[name] ?? ''));
  return kept.map((word) =>
    word
      .split(/('[^']*')/)
      .map((part) =>
        part.startsWith("'")
          ? part.slice(1, -1)
          : part.replaceAll('"', '').replace(/\$\{?(\w+)\}?/g, (_whole, name: string) => value(name)),
      )
      .join(''),
  );
}

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
