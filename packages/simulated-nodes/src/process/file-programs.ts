/** BusyBox's programs that change files and directories. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FileFailure, nameOf, parentOf, resolvePath, type Entry } from './container-files.ts';
import { withOptions, type Options } from './declared-options.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';

/** A program that does the same with each of its operands. */
const eachPath = (
  letters: string,
  synopsis: string,
  act: (process: SimulatedProcess, path: string, options: Options) => void,
  long: Readonly<Record<string, string>> = {},
): Program =>
  withOptions({ letters, long, synopsis, operandsMin: 1 }, async (process, options) => {
    let code = 0;
    for (const word of options.operands) {
      try {
        act(process, resolvePath(process.place.directory, word), options);
      } catch (failure) {
        if (!(failure instanceof FileFailure)) throw failure;
        code = await complain(process, `${failure.message.replace('PATH', word)}`);
      }
    }
    return code;
  });

const missing = 'No such file or directory';

/** Fails with the path as it was given. */
const fail = (text: string): never => {
  throw new FileFailure(text);
};

export const mkdir = eachPath('pm:v', '[-m MODE] [-p] DIRECTORY...', ({ files, clock }, path, options) => {
  if (!options.has('p') && files.entry(path) !== undefined)
    fail("can't create directory 'PATH': File exists");
  if (!options.has('p') && !files.isDirectory(parentOf(path)))
    fail(`can't create directory 'PATH': ${missing}`);
  const mode = options.value('m');
  files.makeDirectories(path, clock.now(), mode === undefined ? undefined : Number.parseInt(mode, 8));
});

export const rmdir = eachPath('pv', '[-p] DIRECTORY...', ({ files }, path) => {
  const entry = files.entry(path);
  if (entry === undefined) fail(`'PATH': ${missing}`);
  if (entry!.kind === 'file') fail("'PATH': Not a directory");
  if (files.list(path).length > 0) fail("'PATH': Directory not empty");
  files.remove(path);
});

export const touch = eachPath(
  'cmad:t:r:h',
  '[-cham] [-d DATE] FILE...',
  ({ files, clock }, path, options) => {
    const entry = files.entry(path);
    if (entry?.kind === 'directory' || (entry === undefined && options.has('c'))) return;
    try {
      files.write(path, entry?.bytes ?? new Uint8Array(0), clock.now(), entry?.mode);
    } catch (failure) {
      fail(`PATH: ${messageOf(failure)}`);
    }
  },
);

export const rm: Program = (process) => {
  const withoutPaths = process.argv.slice(1).every((word) => word.startsWith('-'));
  // `rm -f $FILES` may have nothing to remove.
  return withoutPaths && process.argv.some((word) => /^-\w*f/.test(word)) ? 0 : removal(process);
};

const removal = eachPath('firRv', '[-irf] FILE...', ({ files }, path, options) => {
  const entry = files.entry(path);
  if (entry === undefined && !options.has('f')) fail(`can't remove 'PATH': ${missing}`);
  if (entry?.kind === 'directory' && !options.has('r') && !options.has('R')) fail("'PATH' is a directory");
  files.remove(path);
});

const copy = (process: SimulatedProcess, from: string, to: string): void => {
  const { files, clock } = process;
  const entry = files.entry(from)!;
  if (entry.kind === 'file') return files.write(to, entry.bytes, clock.now(), entry.mode);
  const names = files.list(from);
  files.makeDirectories(to, clock.now(), entry.mode);
  for (const name of names) copy(process, resolvePath(from, name), resolvePath(to, name));
};

/** Copies or moves all operands but the last into the last, or onto it. */
const transfer = (name: 'copy' | 'move', letters: string, synopsis: string): Program =>
  withOptions({ letters, synopsis, operandsMin: 2 }, async (process, options) => {
    const { files, place } = process;
    const isMove = name === 'move';
    const target = resolvePath(place.directory, options.operands.at(-1)!);
    const isInto = files.isDirectory(target) && !options.has('T');
    const mayCopyAll = isMove || ['r', 'R', 'a'].some((letter) => options.has(letter));
    let code = 0;
    for (const word of options.operands.slice(0, -1)) {
      const from = resolvePath(place.directory, word);
      const to = isInto ? resolvePath(target, nameOf(from)) : target;
      const entry = files.entry(from);
      const why =
        entry === undefined
          ? isMove
            ? `can't rename '${word}': ${missing}`
            : `can't stat '${word}': ${missing}`
          : entry.kind === 'directory' && !mayCopyAll
            ? `omitting directory '${word}'`
            : to === from
              ? `'${word}' and '${options.operands.at(-1)}' are the same file`
              : to.startsWith(`${from}/`)
                ? `recursion detected, omitting directory '${word}'`
                : undefined;
      if (why !== undefined) {
        code = await complain(process, why);
        continue;
      }
      try {
        if (options.has('n') && files.entry(to) !== undefined) continue;
        copy(process, from, to);
        if (isMove) files.remove(from);
      } catch (failure) {
        if (!(failure instanceof FileFailure)) throw failure;
        code = await complain(process, `can't create '${to}': ${failure.message}`);
      }
    }
    return code;
  });

export const cp = transfer('copy', 'arRdfpPLHinvTu', '[-arPLHpfinlsTu] SOURCE DEST');
export const mv = transfer('move', 'finTv', '[-finT] SOURCE DEST');

const letterBits: Readonly<Record<string, number>> = {
  r: 0o444,
  w: 0o222,
  x: 0o111,
  X: 0o111,
  s: 0o6000,
  t: 0o1000,
};
const whoBits: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 };

/** `755`, `+x`, `u=rw,go-w`; undefined if it is no mode. */
function changedMode(text: string, before: number): number | undefined {
  if (/^[0-7]{1,4}$/.test(text)) return Number.parseInt(text, 8);
  let mode = before;
  for (const clause of text.split(',')) {
    const [, who = '', operator, letters = ''] = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause) ?? [];
    if (operator === undefined) return undefined;
    const mask = [...(who || 'a')].reduce((bits, one) => bits | whoBits[one]!, 0);
    const bits = [...letters].reduce((all, one) => all | letterBits[one]!, 0) & mask;
    if (operator === '=') mode = (mode & ~mask) | bits;
    else mode = operator === '+' ? mode | bits : mode & ~bits;
  }
  return mode;
}

/** Of a path, and of all below it if `isRecursive`. @throws FileFailure */
function changeAll(
  { files }: SimulatedProcess,
  path: string,
  isRecursive: boolean,
  change: (entry: Entry) => Parameters<SimulatedProcess['files']['change']>[1],
): void {
  const entry = files.entry(path);
  if (entry === undefined) throw new FileFailure(missing);
  files.change(path, change(entry));
  if (!isRecursive || entry.kind === 'file') return;
  for (const name of files.list(path))
    changeAll({ files } as SimulatedProcess, resolvePath(path, name), isRecursive, change);
}

/** A program that changes an attribute, whose value is the first operand. */
const changing =
  (
    synopsis: string,
    read: (
      value: string,
    ) => ((entry: Entry) => Parameters<SimulatedProcess['files']['change']>[1]) | undefined,
    invalid: string,
  ): Program =>
  async (process) => {
    // A mode such as `-w` looks like an option.
    const words = process.argv.slice(1);
    const options = words.filter((word) => /^-[Rvcfh]+$/.test(word));
    const [value, ...paths] = words.filter((word) => !options.includes(word));
    if (value === undefined || paths.length === 0) {
      await print(
        process.stderr,
        `BusyBox v1.37.0 multi-call binary.\n\nUsage: ${process.argv[0]} ${synopsis}\n`,
      );
      return 1;
    }
    const change = read(value);
    if (change === undefined) return complain(process, `${invalid} '${value}'`);
    let code = 0;
    for (const path of paths) {
      try {
        changeAll(
          process,
          resolvePath(process.place.directory, path),
          options.join('').includes('R'),
          change,
        );
      } catch (failure) {
        if (!(failure instanceof FileFailure)) throw failure;
        code = await complain(process, `${path}: ${failure.message}`);
      }
    }
    return code;
  };

export const chmod = changing(
  '[-Rcvf] MODE[,MODE]... FILE...',
  (value) =>
    changedMode(value, 0) === undefined ? undefined : ({ mode }) => ({ mode: changedMode(value, mode)! }),
  'invalid mode',
);

const idOf = (name: string): number => (name === 'root' ? 0 : Number(name));

export const chown = changing(
  '[-RhLHPcvf]... USER[:[GRP]] FILE...',
  (value) => {
    const [user = '', group] = value.split(/[:.]/);
    const change = {
      ...(user !== '' && { uid: idOf(user) }),
      ...(group && { gid: idOf(group) }),
    };
    return Object.values(change).some(Number.isNaN) ? undefined : () => change;
  },
  'unknown user/group',
);

export const chgrp = changing(
  '[-RhLHPcvf]... GROUP FILE...',
  (value) => (Number.isNaN(idOf(value)) ? undefined : () => ({ gid: idOf(value) })),
  'unknown group',
);

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export const mktemp = withOptions(
  { letters: 'dqutp:', synopsis: '[-dt] [-p DIR] [TEMPLATE]' },
  async (process, options) => {
    const { files, clock, random, place, env, stdout } = process;
    const [template] = options.operands;
    const isInTemp = template === undefined || options.has('p') || options.has('t');
    const directory = options.value('p') ?? (env.get('TMPDIR') || '/tmp');
    const text = template ?? 'tmp.XXXXXX';
    if (!text.endsWith('XXXXXX')) return complain(process, 'Invalid argument');
    const name = text.replace(/X+$/, (marks) =>
      [...marks].map(() => letters[Math.floor(random.next() * letters.length)]).join(''),
    );
    const path = isInTemp ? `${directory}/${name}` : name;
    const full = resolvePath(place.directory, path);
    if (!files.isDirectory(parentOf(full))) return complain(process, `${path}: ${missing}`);
    if (options.has('d')) files.makeDirectories(full, clock.now(), 0o700);
    else files.write(full, new Uint8Array(0), clock.now(), 0o600);
    await print(stdout, `${path}\n`);
    return 0;
  },
);
