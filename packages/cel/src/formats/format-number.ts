/** Formats doubles with a number of digits, as upstream does in English. */

/** @param isPlain without thousands separators, and with Go's words for infinities and NaN */
export function formatFixed(value: number, precision: number, isPlain = false): string {
  if (!Number.isFinite(value)) return isPlain ? plainWord(value) : localWord(value);
  const text = fixedDigits(value, precision);
  if (isPlain) return text;
  const [whole, fraction] = text.split('.') as [string, string | undefined];
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** The precision is used as a width, and there are always six digits. */
export function formatScientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return localWord(value).padStart(width);
  const [mantissa, exponent] = value.toExponential(6).split('e') as [string, string];
  const digits = Math.abs(Number(exponent)).toString().padStart(2, '0');
  return `${mantissa}×10${superscript(`${Number(exponent) < 0 ? '-' : ''}${digits}`)}`.padStart(width);
}

const superscripts: Readonly<Record<string, string>> = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};

const superscript = (text: string): string => [...text].map((character) => superscripts[character]!).join('');

/** Digits beyond JavaScript's are exact too, since a double is a binary fraction. */
function fixedDigits(value: number, precision: number): string {
  if (Math.abs(value) < 1e21 && precision <= 100) return fixedHalfToEven(value, precision);
  const whole = BigInt(Math.trunc(value)).toString();
  return precision === 0 ? whole : `${whole}.${'0'.repeat(precision)}`;
}

/** JavaScript rounds a tie away from zero, Go to the even digit. */
function fixedHalfToEven(value: number, precision: number): string {
  const text = value.toFixed(precision);
  const exact = value.toFixed(Math.min(precision + tieDigits, 100));
  const rest = exact.slice(text.length + (precision === 0 ? 1 : 0));
  const kept = exact.slice(0, exact.length - rest.length).replace(/\.$/, '');
  return /^50*$/.test(rest) && /[02468]$/.test(kept) ? kept : text;
}

/** The number of additional digits that distinguish a tie from a value near one. */
const tieDigits = 30;

const plainWord = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');
const localWord = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞');
