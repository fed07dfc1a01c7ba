/** BusyBox's `sort`, in the C locale. */
import { withOptions, type Options } from './declared-options.ts';
import { resolvePath } from './container-files.ts';
import { complain, print } from './simulated-process.ts';
import { printLines, readLines } from './text-programs.ts';

interface Key {
  /** From this field to that one, counted from 1, each with the position of a character. */
  readonly from: readonly [field: number, character: number];
  readonly to: readonly [field: number, character: number];
  readonly flags: string;
}

export const sort = withOptions(
  {
    letters: 'nrugMcszbdfiohVk:t:o:T:S:',
    long: {
      '--reverse': 'r',
      '--unique': 'u',
      '--numeric-sort': 'n',
      '--key': 'k',
      '--human-numeric-sort': 'h',
    },
    synopsis: '[-nrughMcszbdfiokt] [-o FILE] [-k START[.OFS][OPTS][,END[.OFS][OPTS]] [-t CHAR] [FILE]...',
    usageCode: 2,
  },
  async (process, options) => {
    const keys = options.values('k').map(keyOf);
    if (keys.includes(undefined)) return complain(process, 'bad field specification', 2);
    const { lines, code } = await readLines(process, options.operands);
    const compare = comparison(options, keys as readonly Key[]);
    if (options.has('c')) {
      const wrong = lines.findIndex((line, at) => at > 0 && compare(lines[at - 1]!, line) > 0);
      if (wrong < 0) return 0;
      await print(process.stderr, `Check line ${wrong}\n`);
      return 1;
    }
    const isReverse = options.has('r');
    const byText = (a: string, b: string) => (isReverse ? textOrder(b, a) : textOrder(a, b));
    const isStable = options.has('s') || options.has('u');
    const sorted = lines.toSorted((a, b) => compare(a, b) || (isStable ? 0 : byText(a, b)));
    const shown = options.has('u')
      ? sorted.filter((line, at) => at === 0 || compare(sorted[at - 1]!, line) !== 0)
      : sorted;
    const target = options.value('o');
    const stdout =
      target === undefined
        ? process.stdout
        : (bytes: Uint8Array) =>
            process.files.write(resolvePath(process.place.directory, target), bytes, process.clock.now());
    await printLines({ ...process, stdout }, shown);
    return code && 2;
  },
);

function keyOf(text: string): Key | undefined {
  const found = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)(?:,(\d+)(?:\.(\d+))?([a-zA-Z]*))?$/.exec(text);
  if (found === null) return undefined;
  const [, field, character = '1', flags = '', lastField, lastCharacter = '0', moreFlags = ''] = found;
  return {
    from: [Number(field), Number(character)],
    to: [Number(lastField ?? Infinity), Number(lastCharacter)],
    flags: flags + moreFlags,
  };
}

type Order = (a: string, b: string) => number;

const textOrder: Order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function comparison(options: Options, keys: readonly Key[]): Order {
  const common = [...'ngMhVbdfir'].filter((letter) => options.has(letter)).join('');
  const separator = options.value('t');
  const all: readonly Key[] = keys.length > 0 ? keys : [{ from: [1, 1], to: [Infinity, 0], flags: '' }];
  const orders = all.map((key): Order => {
    const flags = key.flags === '' ? common : key.flags;
    const order = orderOf(flags);
    const part = (line: string) => partOf(line, key, separator);
    const sign = flags.includes('r') ? -1 : 1;
    return (a, b) => sign * order(part(a), part(b));
  });
  return (a, b) => {
    for (const order of orders) {
      const result = order(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
}

/** Without a separator, a field begins with the blanks before it. */
function partOf(line: string, { from, to }: Key, separator: string | undefined): string {
  if (from[0] === 1 && from[1] === 1 && to[0] === Infinity) return line;
  const fields =
    separator === undefined ? (line.match(/[ \t]*[^ \t]+|[ \t]+$/g) ?? []) : line.split(separator);
  const joint = separator ?? '';
  const startOf = (field: number) =>
    fields.slice(0, field - 1).reduce((sum, one) => sum + one.length + joint.length, 0);
  const end =
    to[0] > fields.length
      ? line.length
      : to[1] === 0
        ? startOf(to[0]) + fields[to[0] - 1]!.length
        : startOf(to[0]) + to[1];
  return line.slice(startOf(from[0]) + from[1] - 1, end);
}

const units = ' KMGTPE';

function orderOf(flags: string): Order {
  if (/[ngh]/.test(flags)) {
    const value = (text: string): number => {
      const [, digits = '0', unit = ' '] = /^\s*(-?\d*\.?\d*)\s*([KMGTPE]?)/i.exec(text) ?? [];
      const scale = flags.includes('h') ? 1024 ** Math.max(0, units.indexOf(unit.toUpperCase() || ' ')) : 1;
      return (Number(digits) || 0) * scale;
    };
    return (a, b) => value(a) - value(b);
  }
  if (flags.includes('V')) return versionOrder;
  const plain = (text: string): string => {
    const trimmed = flags.includes('b') ? text.trimStart() : text;
    const kept = flags.includes('d') ? trimmed.replaceAll(/[^\w\s]|_/g, '') : trimmed;
    return flags.includes('f') ? kept.toUpperCase() : kept;
  };
  return (a, b) => textOrder(plain(a), plain(b));
}

/** Runs of digits compare as numbers. */
const versionOrder: Order = (a, b) => {
  const [left, right] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const areNumbers = /^\d/.test(part) && /^\d/.test(other);
    const result = areNumbers ? Number(part) - Number(other) : textOrder(part, other);
    if (result !== 0) return result;
  }
  return left.length - right.length;
};
