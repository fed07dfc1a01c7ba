/** The programs in /bin of a simulated container. */
import { parseDurationMs } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { evaluateArithmetic } from './arithmetic.ts';
import { curl } from './curl.ts';
import { date } from './date-program.ts';
import { dd } from './dd-program.ts';
import { FileFailure, parentOf, resolvePath } from './container-files.ts';
import { find } from './find-program.ts';
import { netcat, nslookup } from './name-programs.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';
import { stty, terminalSize } from './terminal-programs.ts';
import { tar } from './tar-program.ts';
import { test } from './test-program.ts';
import { cat, head, tail, wc } from './text-programs.ts';
import { wget } from './wget.ts';

const simple =
  (text: (process: SimulatedProcess) => string): Program =>
  async (process) => {
    await print(process.stdout, `${text(process)}\n`);
    return 0;
  };

export const programs: Readonly<Record<string, Program>> = {
  true: () => 0,
  ':': () => 0,
  false: () => 1,
  echo,
  printf: async ({ argv, stdout }) => {
    await print(stdout, formatted(argv[1] ?? '', argv.slice(2)));
    return 0;
  },
  hostname: simple(({ hostname }) => hostname),
  pwd: simple(({ place }) => place.directory),
  whoami: simple(() => 'root'),
  id: simple(() => 'uid=0(root) gid=0(root) groups=0(root)'),
  uname: simple(({ argv, hostname }) =>
    argv.includes('-a') ? `Linux ${hostname} 6.8.0-simulated #1 SMP x86_64 GNU/Linux` : 'Linux',
  ),
  date,
  dd,
  tty: async ({ tty, stdout }) => {
    await print(stdout, tty ? '/dev/pts/0\n' : 'not a tty\n');
    return tty ? 0 : 1;
  },
  stty,
  resize: terminalSize,
  env: environment,
  printenv: environment,
  sleep,
  ls,
  find,
  cat,
  head,
  tail,
  wc,
  tar,
  wget,
  curl,
  nslookup,
  nc: netcat,
  mkdir: eachPath((process, path) => {
    const { files, argv, clock } = process;
    if (!argv.includes('-p') && files.entry(path) !== undefined) throw new FileFailure('File exists');
    if (!argv.includes('-p') && !files.isDirectory(parentOf(path)))
      throw new FileFailure('No such file or directory');
    files.makeDirectories(path, clock.now());
  }),
  touch: eachPath(({ files, clock }, path) => {
    const entry = files.entry(path);
    if (entry?.kind === 'directory') return;
    files.write(path, entry?.bytes ?? new Uint8Array(0), clock.now(), entry?.mode);
  }),
  rm: eachPath(({ files, argv }, path) => {
    const flags = argv.filter((word) => word.startsWith('-')).join('');
    const entry = files.entry(path);
    if (entry === undefined && !flags.includes('f')) throw new FileFailure('No such file or directory');
    if (entry?.kind === 'directory' && !/[rR]/.test(flags)) throw new FileFailure('Is a directory');
    files.remove(path);
  }),
  test,
  '[': test,
  '[[': test,
  expr,
  seq,
};

async function echo({ argv, stdout }: SimulatedProcess): Promise<number> {
  const words = argv.slice(1);
  const flags = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const options = words.slice(0, flags < 0 ? words.length : flags).join('');
  const text = words.slice(flags < 0 ? words.length : flags).join(' ');
  await print(stdout, (options.includes('e') ? unescaped(text) : text) + (options.includes('n') ? '' : '\n'));
  return 0;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  e: '\x1b',
  a: '\x07',
};

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (whole, letter: string) => escapes[letter] ?? whole);

function formatted(format: string, values: readonly string[]): string {
  let next = 0;
  return unescaped(format).replace(/%([sd%])/g, (_whole, verb: string) =>
    verb === '%' ? '%' : (values[next++] ?? (verb === 'd' ? '0' : '')),
  );
}

async function environment({ argv, env, stdout }: SimulatedProcess): Promise<number> {
  const name = argv[1];
  if (name !== undefined) {
    const value = env.get(name);
    if (value !== undefined) await print(stdout, `${value}\n`);
    return value === undefined ? 1 : 0;
  }
  await print(stdout, [...env].map(([key, value]) => `${key}=${value}\n`).join(''));
  return 0;
}

async function sleep(process: SimulatedProcess): Promise<number> {
  const time = process.argv[1] ?? '';
  const text = /^\d+(\.\d+)?$/.test(time) ? `${time}s` : time.replace(/d$/, '');
  try {
    const ms = time === 'infinity' || time === 'inf' ? Number.MAX_SAFE_INTEGER : parseDurationMs(text);
    await process.clock.sleep(ms, process.signal);
    return 0;
  } catch {
    return process.signal.aborted ? 130 : complain(process, `invalid time interval '${time}'`);
  }
}

async function ls(process: SimulatedProcess): Promise<number> {
  const { argv, files, place, stdout } = process;
  const options = argv.slice(1).filter((word) => word.startsWith('-'));
  const paths = argv.slice(1).filter((word) => !word.startsWith('-'));
  const has = (letter: string) => options.some((option) => option.includes(letter));
  let code = 0;
  const shown = (path: string, name: string) => (has('l') ? longLine(process, path, name) : name);
  for (const [index, path] of (paths.length === 0 ? ['.'] : paths).entries()) {
    const full = resolvePath(place.directory, path);
    const entry = files.entry(full);
    if (entry === undefined) {
      code = await complain(process, `${path}: No such file or directory`);
      continue;
    }
    if (paths.length > 1 && entry.kind === 'directory')
      await print(stdout, `${index > 0 ? '\n' : ''}${path}:\n`);
    const names = entry.kind === 'directory' && !has('d') ? files.list(full) : undefined;
    const lines =
      names === undefined
        ? [shown(full, path)]
        : names
            .filter((name) => has('a') || has('A') || !name.startsWith('.'))
            .map((name) => shown(resolvePath(full, name), name));
    await print(stdout, lines.map((line) => `${line}\n`).join(''));
  }
  return code;
}

function longLine({ files }: SimulatedProcess, path: string, name: string): string {
  const entry = files.entry(path)!;
  const letters = [...(entry.mode & 0o777).toString(8).padStart(3, '0')]
    .map((digit) => ['---', '--x', '-w-', '-wx', 'r--', 'r-x', 'rw-', 'rwx'][Number(digit)])
    .join('');
  const size = entry.kind === 'file' ? entry.bytes.length : 4096;
  const time = new Date(entry.modifiedMs).toISOString().slice(0, 16).replace('T', ' ');
  const type = entry.kind === 'directory' ? 'd' : '-';
  return `${type}${letters}    1 root     root     ${String(size).padStart(9)} ${time} ${name}`;
}

function eachPath(act: (process: SimulatedProcess, path: string) => void): Program {
  return async (process) => {
    let code = 0;
    for (const word of process.argv.slice(1)) {
      if (word.startsWith('-')) continue;
      try {
        act(process, resolvePath(process.place.directory, word));
      } catch (failure) {
        code = await complain(process, `${word}: ${messageOf(failure)}`);
      }
    }
    return code;
  };
}

/** `expr` with arithmetic and comparisons, one word each; the exit code is 1 if the result is 0 or empty. */
async function expr(process: SimulatedProcess): Promise<number> {
  const words = process.argv.slice(1).map((word) => (word === '=' ? '==' : word));
  try {
    const value =
      words.length === 1 ? words[0]! : String(evaluateArithmetic(words.join(' '), (name) => name));
    await print(process.stdout, `${value}\n`);
    return value === '0' || value === '' ? 1 : 0;
  } catch {
    return complain(process, 'syntax error', 2);
  }
}

/** The maximum number of lines that `seq` prints. */
const seqLinesMax = 100_000;

async function seq(process: SimulatedProcess): Promise<number> {
  const numbers = process.argv.slice(1).map(Number);
  const [first, step, last] =
    numbers.length === 1
      ? [1, 1, numbers[0]!]
      : numbers.length === 2
        ? [numbers[0]!, 1, numbers[1]!]
        : [numbers[0]!, numbers[1]!, numbers[2]!];
  const count = Math.floor((last! - first!) / step!) + 1;
  if (!Number.isFinite(count) || count > seqLinesMax) return complain(process, 'invalid number');
  const lines = Array.from({ length: Math.max(0, count) }, (_none, at) => `${first! + at * step!}\n`);
  await print(process.stdout, lines.join(''));
  return 0;
}
