/** The internal representation of a resource.Quantity in Go after it was parsed and serialized. */

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

/** With more digits, upstream uses arbitrary-precision numbers. */
const digitsMax = 18;
/** The number of decimal places of such numbers: nothing is smaller than a nano. */
const decimalPlaces = 9;
/** The number of digits and powers of two that upstream multiplies without risk of overflow. */
const binaryDigitsMax = 14;

/** @param text the stored form: `128Mi`, `500m`, `1e3` */
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

/** The approximate number of decimal digits of the factor: three per 1024. */
const binaryPlaces = (binary: bigint): number => ((binary.toString(2).length - 1) * 3) / 10;

/** Upstream keeps the text only of these; for others it computes the canonical form first. */
const isShortest = (text: string, digits: string, scale: number): boolean =>
  text === '0' || (scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0'));

/** Prints a number with `decimalPlaces` in 64-bit words, lowest first. */
function dumpDecimal(value: bigint): string {
  const words: bigint[] = [];
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
  return (
    `{unscaled:(big.Int){neg:(bool)${value < 0n} abs:(big.nat)[${words.join(' ')}]} ` +
    `scale:(inf.Scale)${decimalPlaces}}`
  );
}
