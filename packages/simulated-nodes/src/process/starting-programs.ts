/** BusyBox's programs that start another program. */
import { parseDurationMs } from '@coxswain/apimachinery';
import { ByteInput } from '../network/byte-input.ts';
import { withOptions, type Options } from './declared-options.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';
import { wholeText } from './text-programs.ts';
import { signalNumber } from './signals.ts';
import { assignmentsIn, starters } from './starters.ts';

const starting = (
  name: string,
  synopsis: string,
  operandsMin: number,
  run: (process: SimulatedProcess, options: Options) => Promise<number>,
): Program => withOptions({ letters: starters[name]!.letters, synopsis, operandsMin, isPrefix: true }, run);

/** The exit code of a program that does not exist is that of a shell. */
async function start(process: SimulatedProcess, argv: readonly string[]): Promise<number> {
  const code = await process.start({ ...process, argv });
  return code ?? complain(process, `can't execute '${argv[0]}': No such file or directory`, 127);
}

export const env = starting(
  'env',
  '[-i0] [-u NAME]... [NAME=VALUE]... [PROG ARGS]',
  0,
  async (process, options) => {
    const variables = new Map(options.has('i') ? [] : process.env);
    for (const name of options.values('u')) variables.delete(name);
    const assigned = assignmentsIn(options.operands);
    for (const pair of assigned)
      variables.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    const argv = options.operands.slice(assigned.length);
    if (argv.length > 0) return start({ ...process, env: variables }, argv);
    const end = options.has('0') ? '\0' : '\n';
    await print(process.stdout, [...variables].map(([name, value]) => `${name}=${value}${end}`).join(''));
    return 0;
  },
);

export const nice = starting('nice', '[-n ADJUST] [PROG ARGS]', 0, async (process, { operands }) => {
  if (operands.length > 0) return start(process, operands);
  await print(process.stdout, '0\n');
  return 0;
});

export const nohup = starting('nohup', 'PROG ARGS', 1, (process, { operands }) => start(process, operands));

export const time = starting('time', '[-vpa] [-o FILE] PROG ARGS', 1, async (process, { operands, has }) => {
  const startMs = process.clock.now();
  const code = await start(process, operands);
  const seconds = (process.clock.now() - startMs) / 1000;
  const shown = has('p')
    ? `real ${seconds.toFixed(2)}\nuser 0.00\nsys 0.00\n`
    : `real\t${minutesOf(seconds)}\nuser\t${minutesOf(0)}\nsys\t${minutesOf(0)}\n`;
  await print(process.stderr, shown);
  return code;
});

const minutesOf = (seconds: number): string => `${Math.floor(seconds / 60)}m ${(seconds % 60).toFixed(2)}s`;

/** `5`, `5s`, `2m`, `1.5h`; undefined if it is no duration. */
function durationMs(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text);
  if (found === null) return undefined;
  const [, amount = '', unit] = found;
  return unit === 'd' ? Number(amount) * 86_400_000 : parseDurationMs(`${amount}${unit || 's'}`);
}

export const timeout = starting(
  'timeout',
  '[-s SIG] [-k KILL_SECS] SECS PROG ARGS',
  2,
  async (process, options) => {
    const [limit = '', ...argv] = options.operands;
    const limitMs = durationMs(limit);
    if (limitMs === undefined) return complain(process, `invalid number '${limit}'`);
    const signal = signalNumber(options.value('s') ?? 'TERM');
    if (signal === undefined) return complain(process, `bad signal name '${options.value('s')}'`);
    const stopping = new AbortController();
    const over = new AbortController();
    const late = process.clock.sleep(limitMs, over.signal).then(
      () => 128 + signal,
      () => 0,
    );
    try {
      const running = start({ ...process, signal: AbortSignal.any([process.signal, stopping.signal]) }, argv);
      return await (limitMs === 0 ? running : Promise.race([running, late]));
    } finally {
      over.abort();
      stopping.abort();
    }
  },
);

/** The maximum number of arguments of one command. */
const argumentsMax = 5_000;

export const xargs = starting('xargs', '[OPTIONS] [PROG ARGS]', 0, async (process, options) => {
  const text = await wholeText(process.stdin);
  const argv = options.operands.length === 0 ? ['echo'] : options.operands;
  const placeholder = options.value('I');
  const items = itemsOf(text, options);
  const stdin = ByteInput.of();
  const commands: (readonly string[])[] = [];
  if (placeholder !== undefined)
    commands.push(...items.map((item) => argv.map((word) => word.replaceAll(placeholder, item))));
  else {
    const most = Number(options.value('n') ?? options.value('L') ?? argumentsMax);
    if (!(most >= 1)) return complain(process, `invalid number '${options.value('n')}'`);
    for (let at = 0; at < items.length; at += most) commands.push([...argv, ...items.slice(at, at + most)]);
    if (items.length === 0 && !options.has('r')) commands.push(argv);
  }
  let result = 0;
  for (const command of commands) {
    if (process.signal.aborted) break;
    if (options.has('t')) await print(process.stderr, `${command.join(' ')}\n`);
    const code = await process.start({ ...process, argv: command, stdin });
    if (code === undefined) return complain(process, `${command[0]}: No such file or directory`, 127);
    if (code === 255) return complain(process, `${command[0]}: exited with status 255; aborting`, 124);
    if (code !== 0) result = 123;
  }
  return result;
});

/** Words may be quoted; with `-I` every line is one item, with `-0` everything up to a NUL. */
function itemsOf(text: string, options: Options): readonly string[] {
  const separator = options.has('0') ? '\0' : options.value('d')?.replace('\\n', '\n');
  if (separator !== undefined)
    return (text.endsWith(separator) ? text.slice(0, -1) : text)
      .split(separator)
      .filter((item) => item !== '');
  if (options.has('I'))
    return text
      .split('\n')
      .map((line) => line.trimStart())
      .filter((line) => line !== '');
  const words = text.match(/(?:"[^"\n]*"|'[^'\n]*'|\\[^]|[^\s'"\\])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'|\\([^])/g,
      (_whole, double, single, letter) => double ?? single ?? letter,
    ),
  );
}
