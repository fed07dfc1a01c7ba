/** pflag's two-column list of options, with its wrapping. */
import { bareValue, shownDefault, type FlagState } from '../command/flag-set.ts';
import { goQuote } from '../go-quote.ts';

export function flagUsages(states: readonly FlagState[], columns = 0): string {
  const rows = states
    .filter(({ flag }) => flag.hidden !== true && flag.deprecated === undefined)
    .map((state) => ({ head: flagHead(state), tail: flagTail(state) }));
  const width = Math.max(0, ...rows.map(({ head }) => head.length)) + 1;
  return rows
    .map(
      ({ head, tail }) => `${head}${' '.repeat(width - head.length + 2)}${wrap(width + 2, columns, tail)}\n`,
    )
    .join('');
}

function flagHead({ name, flag }: FlagState): string {
  const letter =
    flag.shorthand !== undefined && flag.shorthandDeprecated === undefined ? flag.shorthand : undefined;
  const { variable } = unquote(flag.usage, flag.kind.typeName);
  const head = letter === undefined ? `      --${name}` : `  -${letter}, --${name}`;
  return `${head}${variable === '' ? '' : ` ${variable}`}${bareHint({ name, flag } as FlagState)}`;
}

function bareHint({ flag }: FlagState): string {
  const bare = bareValue(flag);
  if (bare === undefined) return '';
  if (flag.kind.typeName === 'string') return `[="${bare}"]`;
  const usual = { bool: 'true', count: '+1' }[flag.kind.typeName as 'bool' | 'count'];
  return bare === usual ? '' : `[=${bare}]`;
}

function flagTail({ flag }: FlagState): string {
  const { usage } = unquote(flag.usage, flag.kind.typeName);
  const shown = shownDefault(flag);
  const deprecated = flag.deprecated === undefined ? '' : ` (DEPRECATED: ${flag.deprecated})`;
  if (isZero(shown, flag.kind.typeName)) return usage + deprecated;
  return `${usage} (default ${flag.kind.typeName === 'string' ? goQuote(shown) : shown})${deprecated}`;
}

function isZero(shown: string, typeName: string): boolean {
  if (typeName === 'string') return shown === '';
  if (typeName === 'duration') return shown === '0s' || shown === '0';
  if (/^(int|string)(Slice|Array)$/.test(typeName)) return shown === '[]';
  return ['false', '<nil>', '', '0'].includes(shown);
}

const typeWords: Readonly<Record<string, string>> = {
  bool: '',
  float64: 'float',
  int64: 'int',
  uint64: 'uint',
  stringSlice: 'strings',
  intSlice: 'ints',
};

/** A name in backquotes describes the value; otherwise the type does. */
function unquote(usage: string, typeName: string): { variable: string; usage: string } {
  const match = /`([^`]*)`/.exec(usage);
  if (match !== null) return { variable: match[1] ?? '', usage: usage.replace(match[0], match[1] ?? '') };
  return { variable: typeWords[typeName] ?? typeName, usage };
}

/** Text is not wrapped into fewer columns than this. */
const wrapMin = 24;
/** The last line may exceed the width by this much, rather than leave a single short word. */
const slop = 5;

function wrap(indent: number, columns: number, text: string): string {
  const newLine = (at: number) => `\n${' '.repeat(at)}`;
  if (columns === 0) return text.replaceAll('\n', newLine(indent));
  let at = indent;
  let room = columns - at;
  let lead = '';
  if (room < wrapMin) {
    at = 16;
    room = columns - at;
    lead = newLine(at);
  }
  if (room < wrapMin) return text.replaceAll('\n', lead);
  const lines: string[] = [];
  for (let rest = text; ;) {
    const [line, more] = wrapOnce(room - slop, rest);
    lines.push(line.replaceAll('\n', newLine(at)));
    if (more === '') return lead + lines.join(newLine(at));
    rest = more;
  }
}

function wrapOnce(room: number, text: string): [string, string] {
  if (room + slop > text.length) return [text, ''];
  const cut = lastIndexOfAny(text.slice(0, room), ' \t\n');
  if (cut <= 0) return [text, ''];
  const newLine = text.slice(0, room).lastIndexOf('\n');
  if (newLine > 0 && newLine < cut) return [text.slice(0, newLine), text.slice(newLine + 1)];
  return [text.slice(0, cut), text.slice(cut + 1)];
}

const lastIndexOfAny = (text: string, characters: string): number =>
  Math.max(...[...characters].map((character) => text.lastIndexOf(character)));
