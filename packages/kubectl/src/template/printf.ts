/** Go's fmt.Sprintf, for the values that templates have. */
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import { goFloat } from '@coxswain/schema/scalars/go-quote.ts';
import { goValue } from '@coxswain/schema/scalars/go-value.ts';

/** What Go calls the type of integers: `int` for those of the template, `int64` for those of the data. */
export type IntegerType = 'int' | 'int64';

export function goTypeName(value: unknown, integers: IntegerType = 'int64'): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  return { string: 'string', boolean: 'bool', number: 'float64', bigint: integers }[typeof value as 'string'];
}

interface Verb {
  readonly verb: string;
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

const directive =
  /%(?<flags>[-+ #0]*)(?<widthAt>\[\d+\])?(?<width>\*|\d+)?(?:\.(?<precisionAt>\[\d+\])?(?<precision>\*|\d*))?(?<at>\[\d+\])?(?<verb>[^]?)/gu;

const sizeMax = 1_000_000;
const isTooLarge = (size: number | undefined): boolean => size !== undefined && !(Math.abs(size) <= sizeMax);

/** @param integers the type of each integer among the arguments */
export function goFormat(
  format: string,
  args: readonly unknown[],
  integers: readonly IntegerType[] = [],
): string {
  let next = 0;
  let isReordered = false;
  const seek = (index: string | undefined) => {
    if (index === undefined) return;
    isReordered = true;
    next = Number(index.slice(1, -1)) - 1;
  };
  const numberFrom = (text: string | undefined) =>
    text === undefined ? undefined : text === '*' ? Number(args[next++]) : Number(text);
  const text = format.replace(directive, (...match) => {
    const part = match.at(-1) as Record<string, string | undefined>;
    const { verb = '', flags = '' } = part;
    if (verb === '') return '%!(NOVERB)';
    seek(part['widthAt']);
    const width = numberFrom(part['width']);
    if (isTooLarge(width)) return '%!(BADWIDTH)';
    seek(part['precisionAt']);
    const precision = numberFrom(part['precision']);
    if (isTooLarge(precision)) return '%!(BADPREC)';
    seek(part['at']);
    if (verb === '%') return '%';
    if (next < 0 || (isReordered && next >= args.length)) return `%!${verb}(BADINDEX)`;
    if (next >= args.length) return `%!${verb}(MISSING)`;
    const value = args[next];
    const type = goTypeName(value, integers[next++]);
    return formatted(value, type, { verb, flags, width, precision });
  });
  if (isReordered || next >= args.length) return text;
  const extra = args
    .slice(next)
    .map((one, index) =>
      one === null || one === undefined
        ? '<nil>'
        : `${goTypeName(one, integers[next + index])}=${goValue(one)}`,
    );
  return `${text}%!(EXTRA ${extra.join(', ')})`;
}

function formatted(value: unknown, type: string, how: Verb): string {
  const { verb, flags } = how;
  const wrong = () =>
    `%!${verb}(${value === null || value === undefined ? '' : `${type}=`}${goValue(value)})`;
  if (verb === 'T') return padded(type, how);
  if (value === null || value === undefined) return verb === 'v' ? padded('<nil>', how) : wrong();
  if (verb === 'v' && flags.includes('#')) return padded(goSyntax(value), how);
  if (typeof value === 'boolean') return 'tv'.includes(verb) ? padded(String(value), how) : wrong();
  if (typeof value === 'bigint') return integer(value, how) ?? wrong();
  if (typeof value === 'number') return float(value, how) ?? wrong();
  if (typeof value === 'string') return string(value, how) ?? wrong();
  const each = (one: unknown) => formatted(one, goTypeName(one), how);
  if (Array.isArray(value)) return `[${value.map(each).join(' ')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, member]) => `${each(name)}:${each(member)}`).join(' ')}]`;
}

/** As Go's source code would have it. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value !== 'object') return goValue(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${members.map(([name, member]) => `${goQuote(name)}:${goSyntax(member)}`).join(', ')}}`;
}

const bases: Readonly<Record<string, readonly [radix: number, prefix: string]>> = {
  d: [10, ''],
  v: [10, ''],
  b: [2, '0b'],
  o: [8, '0'],
  O: [8, '0o'],
  x: [16, '0x'],
  X: [16, '0X'],
};

function integer(value: bigint, how: Verb): string | undefined {
  const { verb, flags, precision } = how;
  const character = String.fromCodePoint(value >= 0 && value <= 0x10ffff ? Number(value) : 0xfffd);
  if (verb === 'c') return padded(character, how);
  if (verb === 'q') return padded(`'${character === "'" ? "\\'" : goQuote(character).slice(1, -1)}'`, how);
  if (verb === 'U') return padded(`U+${value.toString(16).toUpperCase().padStart(4, '0')}`, how);
  const [radix, prefix] = bases[verb] ?? [];
  if (radix === undefined) return undefined;
  const digits = (value < 0 ? -value : value).toString(radix).padStart(precision ?? 0, '0');
  const start = flags.includes('#') || verb === 'O' ? prefix : '';
  return signed(value < 0, `${start}${verb === 'X' ? digits.toUpperCase() : digits}`, how);
}

function float(value: number, how: Verb): string | undefined {
  const { verb, precision } = how;
  const size = Math.abs(value);
  const digits = {
    v: () => goFloat(size),
    g: () => goFloat(precision === undefined ? size : Number(size.toPrecision(precision || 1))),
    f: () => size.toFixed(precision ?? 6),
    F: () => size.toFixed(precision ?? 6),
    e: () => size.toExponential(precision ?? 6).replace(/([+-])(\d)$/, '$10$2'),
  }[verb.replace(/[EG]/, (letter) => letter.toLowerCase())];
  const text = digits?.();
  return text === undefined
    ? undefined
    : signed(value < 0, verb === 'E' || verb === 'G' ? text.toUpperCase() : text, how);
}

function signed(isNegative: boolean, digits: string, how: Verb): string {
  const { flags, width = 0, precision } = how;
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const isWhole = !digits.includes('.');
  const fillsWithZeros = flags.includes('0') && !flags.includes('-') && !(isWhole && precision !== undefined);
  return padded(sign + (fillsWithZeros ? digits.padStart(width - sign.length, '0') : digits), how);
}

function string(value: string, how: Verb): string | undefined {
  const { verb, flags, precision } = how;
  const shown = precision === undefined ? value : [...value].slice(0, precision).join('');
  if (verb === 's' || verb === 'v') return padded(shown, how);
  if (verb === 'q')
    return padded(flags.includes('#') && !shown.includes('`') ? `\`${shown}\`` : goQuote(shown), how);
  if (verb !== 'x' && verb !== 'X') return undefined;
  const bytes = [...new TextEncoder().encode(value)].slice(0, precision);
  const prefix = flags.includes('#') && bytes.length > 0 ? '0x' : '';
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  const text = prefix + hex.join(flags.includes(' ') ? ` ${prefix}` : '');
  return padded(verb === 'X' ? text.toUpperCase() : text, how);
}

/** A negative width comes from `*`. */
function padded(text: string, { flags, width = 0 }: Verb): string {
  const missing = Math.max(0, Math.abs(width) - [...text].length);
  return flags.includes('-') || width < 0 ? text + ' '.repeat(missing) : ' '.repeat(missing) + text;
}
