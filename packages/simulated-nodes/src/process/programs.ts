/** The programs in /bin of a simulated container. */
import { parseDurationMs } from '@coxswain/apimachinery';
import { getent, hostname, ifconfig, ip, netstat, ping, ss } from './address-programs.ts';
import { evaluateArithmetic } from './arithmetic.ts';
import { awk } from './awk-program.ts';
import { cmp, diff } from './comparison-programs.ts';
import { resolvePath } from './container-files.ts';
import { curl } from './curl.ts';
import { date } from './date-program.ts';
import { dd } from './dd-program.ts';
import { base64, hexdump, sha1sum, sha256sum, sha512sum } from './encoding-programs.ts';
import { basename, dirname, du, ls, readlink, realpath, stat } from './file-listing.ts';
import { chgrp, chmod, chown, cp, mkdir, mktemp, mv, rm, rmdir, touch } from './file-programs.ts';
import { find } from './find-program.ts';
import { egrep, fgrep, grep } from './grep-program.ts';
import { cut, nl, rev, tac, tee, tr, uniq } from './line-programs.ts';
import { df, free, nproc, uptime } from './machine-programs.ts';
import { netcat, nslookup } from './name-programs.ts';
import { kill, killall, pgrep, pidof, pkill, ps } from './process-programs.ts';
import { sed } from './sed-program.ts';
import { printf, unescaped } from './printf-program.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';
import { sort } from './sort-program.ts';
import { env, nice, nohup, time, timeout, xargs } from './starting-programs.ts';
import { stty, terminalSize } from './terminal-programs.ts';
import { tar } from './tar-program.ts';
import { test } from './test-program.ts';
import { cat, head, tail, wc } from './text-programs.ts';
import { groups, id, whoami } from './user-programs.ts';
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
  printf,
  hostname,
  pwd: simple(({ place }) => place.directory),
  whoami,
  id,
  groups,
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
  env,
  printenv,
  which,
  yes,
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
  awk,
  grep,
  egrep,
  fgrep,
  sed,
  sort,
  uniq,
  cut,
  tr,
  tee,
  rev,
  tac,
  nl,
  base64,
  sha1sum,
  sha256sum,
  sha512sum,
  hexdump,
  cmp,
  diff,
  basename,
  dirname,
  realpath,
  readlink,
  stat,
  du,
  mkdir,
  rmdir,
  touch,
  rm,
  cp,
  mv,
  chmod,
  chown,
  chgrp,
  mktemp,
  sync: () => 0,
  ps,
  kill,
  killall,
  pidof,
  pgrep,
  pkill,
  timeout,
  time,
  nohup,
  nice,
  xargs,
  nproc,
  free,
  df,
  uptime,
  ip,
  ifconfig,
  ping,
  netstat,
  ss,
  getent,
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

async function printenv({ argv, env: variables, stdout }: SimulatedProcess): Promise<number> {
  const names = argv.slice(1);
  const all = [...variables].map(([name, value]) => `${name}=${value}`);
  const asked = names.flatMap((name) => variables.get(name) ?? []);
  await print(stdout, (names.length === 0 ? all : asked).map((line) => `${line}\n`).join(''));
  return asked.length < names.length ? 1 : 0;
}

/** Where the programs are. */
async function which({ argv, files, commands, place, stdout }: SimulatedProcess): Promise<number> {
  let code = 0;
  for (const name of argv.slice(1).filter((word) => word !== '-a')) {
    const isThere = name.includes('/')
      ? files.entry(resolvePath(place.directory, name)) !== undefined
      : files.entry(`/bin/${name}`) !== undefined || commands?.has(name) === true;
    if (isThere) await print(stdout, `${name.includes('/') ? name : `/bin/${name}`}\n`);
    else code = 1;
  }
  return code;
}

/** After this many blocks of lines, `yes` lets others run. */
const yesBlocksAtOnce = 100;
const yesLinesOfBlock = 1_000;
const yesPauseMs = 10;

async function yes({ argv, stdout, clock, signal }: SimulatedProcess): Promise<number> {
  const block = `${argv.slice(1).join(' ') || 'y'}\n`.repeat(yesLinesOfBlock);
  for (let blocks = 1; !signal.aborted; blocks++) {
    await print(stdout, block);
    if (blocks % yesBlocksAtOnce === 0) await clock.sleep(yesPauseMs, signal).catch(() => undefined);
  }
  return 130;
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

/** `expr` with arithmetic and comparisons, one word each; the exit code is 1 if the result is 0 or empty. */
async function expr(process: SimulatedProcess): Promise<number> {
  const words = process.argv.slice(1).map((word) => (word === '=' ? '==' : word));
  try {
    const value =
      words.length === 1 ? words[0]! : String(evaluateArithmetic(words.join(' '), { value: (name) => name }));
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
