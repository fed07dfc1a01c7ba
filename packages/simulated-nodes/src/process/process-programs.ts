/** BusyBox's programs that list and signal processes. */
import { withOptions } from './declared-options.ts';
import type { RunningProcess } from './process-table.ts';
import { isDeadly, signalNumber } from './signals.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';
import { nameOfId } from './user.ts';

/** Options choose and order columns in the original; here they are accepted, except for `-o`. */
export const ps = withOptions(
  { letters: 'aAefHjlwTxuo:', synopsis: '[-o COL1,COL2=HEADER] [-T]' },
  async ({ processes, stdout }, options) => {
    const columns = options
      .value('o')
      ?.split(',')
      .map((column) => column.replace(/=.*/, ''));
    const rows = processes.list().map(({ pid, uid, argv }) => {
      const values: Readonly<Record<string, string>> = {
        pid: String(pid).padStart(5),
        user: nameOfId(uid).padEnd(8),
        time: '  0:00',
        args: argv.join(' '),
        comm: nameOf({ argv }),
      };
      return columns === undefined
        ? `${values['pid']} ${values['user']}${values['time']} ${values['args']}`
        : columns.map((column) => values[column] ?? '').join(' ');
    });
    const titles: Readonly<Record<string, string>> = {
      pid: 'PID  ',
      user: 'USER    ',
      time: 'TIME  ',
      args: 'COMMAND',
      comm: 'COMMAND',
    };
    const header = columns?.map((column) => titles[column] ?? column.toUpperCase()).join(' ');
    await print(
      stdout,
      [header ?? 'PID   USER     TIME  COMMAND', ...rows].map((row) => `${row}\n`).join(''),
    );
    return 0;
  },
);

/** The name of the program. */
const nameOf = ({ argv }: Pick<RunningProcess, 'argv'>): string =>
  argv[0]!.replace(/[: ].*$/s, '').replace(/^.*\//, '');

/** `-9`, `-KILL`, `-s KILL`; the words that are left. */
function signalAndWords(words: readonly string[]): {
  readonly signal: number | undefined;
  readonly text: string;
  readonly rest: readonly string[];
} {
  const [first = '', second = '', ...others] = words;
  if (first === '-s') return { signal: signalNumber(second), text: second, rest: others };
  if (/^-\w/.test(first))
    return { signal: signalNumber(first.slice(1)), text: first.slice(1), rest: words.slice(1) };
  return { signal: signalNumber('TERM'), text: 'TERM', rest: words };
}

/** A process ends if the signal is deadly and the process is not the one that holds the namespace. */
function deliver({ end }: RunningProcess, signal: number): void {
  if (isDeadly(signal)) end?.(128 + signal);
}

export const kill: Program = async (process) => {
  const { signal, text, rest } = signalAndWords(process.argv.slice(1));
  if (signal === undefined) return complain(process, `bad signal name '${text}'`);
  if (rest.length === 0) return complain(process, 'you need to specify whom to kill');
  let code = 0;
  for (const word of rest) {
    const found = /^\d+$/.test(word) ? process.processes.find(Number(word)) : undefined;
    if (found !== undefined) deliver(found, signal);
    else if (/^\d+$/.test(word)) code = await complain(process, `can't kill pid ${word}: No such process`);
    else code = await complain(process, `invalid number '${word}'`);
  }
  return code;
};

const named = ({ processes, pid }: SimulatedProcess, name: string): readonly RunningProcess[] =>
  processes.list().filter((one) => one.pid !== pid && nameOf(one) === name);

export const killall: Program = async (process) => {
  const words = process.argv.slice(1).filter((word) => word !== '-q');
  const { signal, text, rest } = signalAndWords(words);
  if (signal === undefined) return complain(process, `bad signal name '${text}'`);
  if (rest.length === 0) return complain(process, 'you need to specify whom to kill');
  let code = 0;
  for (const name of rest) {
    const found = named(process, name);
    if (found.length === 0) code = await complain(process, `${name}: no process killed`);
    for (const one of found) deliver(one, signal);
  }
  return code;
};

export const pidof = withOptions({ letters: 's', synopsis: '[-s] [NAME]...' }, async (process, options) => {
  const found = options.operands.flatMap((name) => named(process, name)).map(({ pid }) => pid);
  if (found.length === 0) return 1;
  await print(process.stdout, `${(options.has('s') ? found.slice(0, 1) : found.reverse()).join(' ')}\n`);
  return 0;
});

/** Those whose name, or with `-f` command line, contains the text. */
function matching(process: SimulatedProcess, text: string, isFull: boolean): readonly RunningProcess[] {
  return process.processes
    .list()
    .filter((one) => one.pid !== process.pid && (isFull ? one.argv.join(' ') : nameOf(one)).includes(text));
}

export const pgrep = withOptions(
  { letters: 'fla', synopsis: '[-fl] PATTERN', operandsMin: 1 },
  async (process, options) => {
    const found = matching(process, options.operands[0]!, options.has('f'));
    const shown = found.map((one) => {
      const name = options.has('a') ? one.argv.join(' ') : options.has('l') ? nameOf(one) : '';
      return `${`${one.pid} ${name}`.trimEnd()}\n`;
    });
    await print(process.stdout, shown.join(''));
    return found.length > 0 ? 0 : 1;
  },
);

export const pkill: Program = async (process) => {
  const words = process.argv.slice(1).filter((word) => word !== '-f');
  const { signal, text, rest } = signalAndWords(words);
  if (signal === undefined) return complain(process, `bad signal name '${text}'`);
  const found = matching(process, rest[0] ?? '', words.length < process.argv.length - 1);
  for (const one of found) deliver(one, signal);
  return found.length > 0 ? 0 : 1;
};
