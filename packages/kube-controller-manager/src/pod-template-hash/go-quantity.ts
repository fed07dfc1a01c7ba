/** A resource.Quantity as its Go struct looks inside, once it has been read and written. */

const suffixes: Readonly<Record<string, { readonly scale: number; readonly binary?: bigint }>> = {
  n: { scale: -9 },
  u: { scale: -6 },
  m: { scale: -3 },
  '': { scale: 0 },
  k: { scale: 3 },
  M: { scale: 6 },
  G: { scale: 9 },
  T: { scale: 12 },
  P: { scale: 15 },
  E: { scale: 18 },
  Ki: { scale: 0, binary: 2n ** 10n },
  Mi: { scale: 0, binary: 2n ** 20n },
  Gi: { scale: 0, binary: 2n ** 30n },
  Ti: { scale: 0, binary: 2n ** 40n },
  Pi: { scale: 0, binary: 2n ** 50n },
  Ei: { scale: 0, binary: 2n ** 60n },
};

/** More digits than these, and the original takes its numbers without bounds. */
const digitsMax = 18;
/** Decimal places of such a number: nothing is smaller than a nano. */
const decimalPlaces = 9;
/** Digits and powers of two that the original multiplies without fear of an overflow. */
const binaryDigitsMax = 14;

/** `text` as it is stored: `128Mi`, `500m`, `1e3`. */
export function dumpQuantity(text: string): string {
  const [, sign = '', digits = '0', suffix = '', exponent] =
    /^([+-]?)0*(\d+)(?:([A-Za-z]*)|[eE]([+-]?\d+))$/.exec(text) ?? [];
  const { scale: unitScale, binary = 1n } = suffixes[suffix] ?? { scale: 0 };
  const isBinary = binary !== 1n;
  const scale = exponent === undefined ? unitScale : Number(exponent);
  const value = BigInt(`${sign === '-' ? '-' : ''}${BigInt(digits) * binary}`);
  const format = exponent === undefined ? (isBinary ? 'BinarySI' : 'DecimalSI') : 'DecimalExponent';
  const fits = isBinary
    ? digits.length + binaryPlaces(binary) <= binaryDigitsMax
    : digits.length <= digitsMax;
  const known = fits && (isBinary ? BigInt(digits) % 8n !== 0n : isShortest(text, digits, scale)) ? text : '';
  const [integer, decimal] = fits
    ? [`value:(int64)${value} scale:(resource.Scale)${scale}`, '<nil>']
    : ['value:(int64)0 scale:(resource.Scale)0', dumpDecimal(value * 10n ** BigInt(scale + decimalPlaces))];
  return (
    `{i:(resource.int64Amount){${integer}} ` +
    `d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal}} s:(string)${known} Format:(resource.Format)${format}}`
  );
}

/** About how many decimal digits the factor has: three for each 1024. */
const binaryPlaces = (binary: bigint): number => ((binary.toString(2).length - 1) * 3) / 10;

/** Only of these the original keeps the text; of others it would have to find the canonical one first. */
const isShortest = (text: string, digits: string, scale: number): boolean =>
  text === '0' || (scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0'));

/** A number of `decimalPlaces`, in words of 64 bits, the lowest first. */
function dumpDecimal(value: bigint): string {
  const words: bigint[] = [];
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
  return (
    `{unscaled:(big.Int){neg:(bool)${value < 0n} abs:(big.nat)[${words.join(' ')}]} ` +
    `scale:(inf.Scale)${decimalPlaces}}`
  );
}
