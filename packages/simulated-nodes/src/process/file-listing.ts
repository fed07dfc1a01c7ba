/** BusyBox's programs that describe files and paths. */
import { nameOf, resolvePath, type Entry } from './container-files.ts';
import { withOptions, type Options } from './declared-options.ts';
import { complain, print, type SimulatedProcess } from './simulated-process.ts';
import { nameOfId } from './user.ts';

const halfYearMs = 182 * 86_400_000;

/** The size of a directory. */
const directoryBytes = 4096;

const sizeOf = (entry: Entry): number => (entry.kind === 'file' ? entry.bytes.length : directoryBytes);

export const ls = withOptions(
  {
    letters: '1AaCxdLHRFplinshrSXvctukw:',
    long: { '--color': 'C' },
    synopsis: '[-1AaCxdLHRFplinshrSXvctuk] [FILE]...',
  },
  async (process, options) => {
    const { files, place, stdout } = process;
    const paths = options.operands.length === 0 ? ['.'] : options.operands;
    let code = 0;
    let isFirst = true;
    // Files come before directories.
    const isDirectory = (path: string) => files.isDirectory(resolvePath(place.directory, path));
    const queue = [...paths.filter((path) => !isDirectory(path)), ...paths.filter(isDirectory)];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const full = resolvePath(place.directory, path);
      const entry = files.entry(full);
      if (entry === undefined) {
        code = await complain(process, `${path}: No such file or directory`);
        continue;
      }
      const isListed = entry.kind === 'directory' && !options.has('d');
      if (isListed && (paths.length > 1 || options.has('R')))
        await print(stdout, `${isFirst ? '' : '\n'}${path}:\n`);
      isFirst = false;
      if (!isListed) {
        await print(stdout, `${shownLine(process, full, path, options)}\n`);
        continue;
      }
      const names = ordered(process, full, options);
      if (options.has('l')) await print(stdout, `total ${names.length * 4}\n`);
      const dots = options.has('a') ? ['.', '..'] : [];
      const lines = [...dots, ...names].map((name) =>
        shownLine(process, resolvePath(full, name), name, options),
      );
      await print(stdout, lines.map((line) => `${line}\n`).join(''));
      if (options.has('R'))
        queue.unshift(
          ...names
            .filter((name) => files.isDirectory(resolvePath(full, name)))
            .map((name) => `${path}/${name}`),
        );
    }
    return code;
  },
);

/** The names in a directory. */
function ordered({ files }: SimulatedProcess, directory: string, options: Options): readonly string[] {
  const names = files
    .list(directory)
    .filter((name) => options.has('a') || options.has('A') || !name.startsWith('.'));
  const entryOf = (name: string) => files.entry(resolvePath(directory, name))!;
  const sorted = options.has('t')
    ? names.toSorted((a, b) => entryOf(b).modifiedMs - entryOf(a).modifiedMs)
    : options.has('S')
      ? names.toSorted((a, b) => sizeOf(entryOf(b)) - sizeOf(entryOf(a)))
      : names;
  return options.has('r') ? sorted.toReversed() : sorted;
}

function shownLine({ files, clock }: SimulatedProcess, path: string, name: string, options: Options): string {
  const entry = files.entry(path)!;
  const mark = entry.kind === 'directory' && (options.has('F') || options.has('p')) ? '/' : '';
  if (!options.has('l')) return `${name}${mark}`;
  const shownId = options.has('n') ? String : nameOfId;
  const size = options.has('h') ? humanSize(sizeOf(entry)) : String(sizeOf(entry));
  const time = listedTime(entry.modifiedMs, clock.now());
  const links = entry.kind === 'directory' ? 2 : 1;
  const owners = `${shownId(entry.uid).padEnd(8)} ${shownId(entry.gid).padEnd(8)}`;
  return `${modeLetters(entry)}    ${links} ${owners} ${size.padStart(9)} ${time} ${name}${mark}`;
}

/** The date with the time of day or, half a year before or after now, with the year. */
function listedTime(modifiedMs: number, nowMs: number): string {
  const [, day = '', month = '', year = '', time = ''] =
    /(\d+) (\w+) (\d+) (\d+:\d+)/.exec(new Date(modifiedMs).toUTCString()) ?? [];
  const isNear = Math.abs(nowMs - modifiedMs) < halfYearMs;
  return `${month} ${String(Number(day)).padStart(2)} ${isNear ? time : ` ${year}`}`;
}

function humanSize(bytes: number): string {
  if (bytes < 1024) return String(bytes);
  const unit = bytes < 1024 ** 2 ? 1 : 2;
  return `${(bytes / 1024 ** unit).toFixed(1)}${'KM'[unit - 1]}`;
}

/** `drwxr-sr-t` */
function modeLetters({ kind, mode }: Entry): string {
  const letters = [6, 3, 0].map((shift, at) => {
    const bits = (mode >> shift) & 7;
    const isSpecial = (mode & (0o4000 >> at)) !== 0;
    const special = at === 2 ? 't' : 's';
    const last = isSpecial
      ? (bits & 1) !== 0
        ? special
        : special.toUpperCase()
      : (bits & 1) !== 0
        ? 'x'
        : '-';
    return `${(bits & 4) !== 0 ? 'r' : '-'}${(bits & 2) !== 0 ? 'w' : '-'}${last}`;
  });
  return `${kind === 'directory' ? 'd' : '-'}${letters.join('')}`;
}

export const stat = withOptions(
  { letters: 'c:tLf', long: { '--format': 'c' }, synopsis: '[-tLf] [-c FMT] FILE...', operandsMin: 1 },
  async (process, options) => {
    let code = 0;
    for (const path of options.operands) {
      const entry = process.files.entry(resolvePath(process.place.directory, path));
      if (entry === undefined) {
        code = await complain(process, `can't stat '${path}': No such file or directory`);
        continue;
      }
      const format = options.value('c');
      const shown =
        format === undefined
          ? description(path, entry)
          : format.replaceAll(/%(.)/g, (whole, letter: string) => statFields(path, entry)[letter] ?? whole);
      await print(process.stdout, `${shown}\n`);
    }
    return code;
  },
);

const timeOf = ({ modifiedMs }: Entry): string =>
  `${new Date(modifiedMs).toISOString().replace('T', ' ').replace('Z', '000000')} +0000`;

const octal = ({ mode }: Entry): string => (mode & 0o7777).toString(8);

const kindOf = (entry: Entry): string =>
  entry.kind === 'directory' ? 'directory' : entry.bytes.length === 0 ? 'regular empty file' : 'regular file';

const statFields = (path: string, entry: Entry): Readonly<Record<string, string>> => ({
  n: path,
  s: String(sizeOf(entry)),
  a: octal(entry),
  A: modeLetters(entry),
  u: String(entry.uid),
  U: nameOfId(entry.uid),
  g: String(entry.gid),
  G: nameOfId(entry.gid),
  F: kindOf(entry),
  y: timeOf(entry),
  Y: String(Math.floor(entry.modifiedMs / 1000)),
  '%': '%',
});

function description(path: string, entry: Entry): string {
  const size = sizeOf(entry);
  const owner = (id: number) => `(${String(id).padStart(5)}/${nameOfId(id).padStart(8)})`;
  const access = `(${octal(entry).padStart(4, '0')}/${modeLetters(entry)})`;
  const links = entry.kind === 'directory' ? 2 : 1;
  const time = timeOf(entry);
  return [
    `  File: ${path}`,
    `  Size: ${String(size).padEnd(10)}\tBlocks: ${String(Math.ceil(size / 4096) * 8).padEnd(10)} IO Block: 4096   ${kindOf(entry)}`,
    `Device: 0h/0d\tInode: 1           Links: ${links}`,
    `Access: ${access}  Uid: ${owner(entry.uid)}   Gid: ${owner(entry.gid)}`,
    `Access: ${time}`,
    `Modify: ${time}`,
    `Change: ${time}`,
  ].join('\n');
}

/** What a path and everything below it takes, in KiB. */
export const du = withOptions(
  { letters: 'aHLdclsxhmkb', synopsis: '[-aHLdclsxhmk] [FILE]...' },
  async (process, options) => {
    const { files, place, stdout } = process;
    const shown = (kib: number) =>
      options.has('h')
        ? kib < 1024
          ? `${kib.toFixed(1)}K`
          : `${(kib / 1024).toFixed(1)}M`
        : String(options.has('m') ? Math.ceil(kib / 1024) : kib);
    const lines: string[] = [];
    const add = (path: string, isTop: boolean): number => {
      const full = resolvePath(place.directory, path);
      const entry = files.entry(full)!;
      const inside = entry.kind === 'directory' ? files.list(full) : [];
      const own = Math.ceil(sizeOf(entry) / 4096) * 4;
      const kib = inside.reduce((sum, name) => sum + add(`${path.replace(/\/$/, '')}/${name}`, false), own);
      const isShown = isTop || (!options.has('s') && (entry.kind === 'directory' || options.has('a')));
      if (isShown) lines.push(`${shown(kib)}\t${path}\n`);
      return kib;
    };
    let code = 0;
    for (const path of options.operands.length === 0 ? ['.'] : options.operands) {
      if (files.entry(resolvePath(place.directory, path)) !== undefined) add(path, true);
      else code = await complain(process, `${path}: No such file or directory`);
    }
    await print(stdout, lines.join(''));
    return code;
  },
);

export const basename = withOptions(
  { letters: 'as:', synopsis: 'FILE [SUFFIX]', operandsMin: 1 },
  async (process, { operands }) => {
    const [path = '', suffix = ''] = operands;
    const name = /^\/+$/.test(path) ? '/' : nameOf(path.replace(/\/+$/, ''));
    await print(
      process.stdout,
      `${suffix !== name && name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) : name}\n`,
    );
    return 0;
  },
);

export const dirname = withOptions(
  { letters: '', synopsis: 'FILENAME', operandsMin: 1 },
  async (process, { operands }) => {
    const trimmed = operands[0]!.replace(/(?<=.)\/+$/, '');
    const at = trimmed.lastIndexOf('/');
    const directory = at < 0 ? '.' : trimmed.slice(0, at).replace(/\/+$/, '') || '/';
    await print(process.stdout, `${directory}\n`);
    return 0;
  },
);

/** There are no links, so a path is only made absolute. */
export const realpath = withOptions(
  { letters: '', synopsis: 'FILE...', operandsMin: 1 },
  async (process, { operands }) => {
    let code = 0;
    for (const path of operands) {
      const full = resolvePath(process.place.directory, path);
      if (process.files.entry(full) !== undefined) await print(process.stdout, `${full}\n`);
      else code = await complain(process, `${path}: No such file or directory`);
    }
    return code;
  },
);

export const readlink = withOptions(
  { letters: 'fnv', synopsis: '[-fnv] FILE', operandsMin: 1 },
  async (process, options) => {
    if (!options.has('f')) return 1;
    await print(
      process.stdout,
      `${resolvePath(process.place.directory, options.operands[0]!)}${options.has('n') ? '' : '\n'}`,
    );
    return 0;
  },
);
