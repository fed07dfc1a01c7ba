/**
 * The meaning of an unquoted YAML scalar to go-yaml v2, which is YAML 1.1 with exceptions: `y` and `on` are true,
 * `0120` is octal, `0x1F` and `0b1` are integers, dates are strings.
 */

export type PlainKind = 'string' | 'bool' | 'int' | 'float' | 'null' | 'timestamp';

export interface PlainScalar {
  readonly kind: PlainKind;
  /** Integers beyond 2^53 are bigints. */
  readonly value: string | boolean | number | bigint | null;
}

export function resolvePlain(text: string): PlainScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  if (first === 0x2e) return resolveFraction(text);
  if (first === 0x2b || first === 0x2d || (first >= 0x30 && first <= 0x39)) return resolveNumber(text);
  return { kind: 'string', value: text };
}

const words: ReadonlyMap<string, PlainScalar> = new Map(
  (
    [
      ['bool', true, 'y Y yes Yes YES true True TRUE on On ON'],
      ['bool', false, 'n N no No NO false False FALSE off Off OFF'],
      ['null', null, '~ null Null NULL'],
      ['float', NaN, '.nan .NaN .NAN'],
      ['float', Infinity, '.inf .Inf .INF +.inf +.Inf +.INF'],
      ['float', -Infinity, '-.inf -.Inf -.INF'],
    ] as const
  ).flatMap(([kind, value, spellings]) =>
    spellings.split(' ').map((word): [string, PlainScalar] => [word, { kind, value }]),
  ),
);
(words as Map<string, PlainScalar>).set('', { kind: 'null', value: null });

function resolveFraction(text: string): PlainScalar {
  return /^\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+)?$/.test(text)
    ? asFloat(text.replaceAll('_', ''), text)
    : { kind: 'string', value: text };
}

function resolveNumber(text: string): PlainScalar {
  if (isTimestamp(text)) return { kind: 'timestamp', value: text };
  const plain = text.replaceAll('_', '');
  const integer = parseInteger(plain);
  if (integer !== undefined) return { kind: 'int', value: integer };
  if (/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(plain)) return asFloat(plain, text);
  return { kind: 'string', value: text };
}

/** A number beyond the range of floats stays text. */
function asFloat(number: string, text: string): PlainScalar {
  const value = Number(number);
  return Number.isFinite(value) ? { kind: 'float', value } : { kind: 'string', value: text };
}

const int64Min = -(2n ** 63n);
const uint64Max = 2n ** 64n - 1n;

/** Go's ParseInt with base 0, 64 bits signed, or unsigned if necessary. */
function parseInteger(text: string): number | bigint | undefined {
  const match = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)$/.exec(text);
  if (match === null) return undefined;
  const [, sign, digits = ''] = match;
  const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits}` : digits);
  const value = sign === '-' ? -size : size;
  if (value < int64Min || value > uint64Max || (sign === '+' && value > -int64Min - 1n)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A date, or a date with a time, in the formats that go-yaml tries. */
function isTimestamp(text: string): boolean {
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/.exec(
      text,
    );
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [4, 5, 6].map((group) => Number(match[group] ?? match[group + 3] ?? 0));
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return false;
  return hour! < 24 && minute! < 60 && second! < 60;
}
