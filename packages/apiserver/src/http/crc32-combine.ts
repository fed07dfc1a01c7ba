/**
 * Combines the CRC-32s of two pieces into that of their concatenation. The trailer of gzip needs it, since the pieces
 * were compressed at different times. Arithmetic on polynomials over GF(2), with bits reversed as in RFC 1952.
 */

/** x^32 + x^26 + …, reversed, without its highest term. */
const polynomial = 0xedb88320;
/** The polynomial 1, and x. */
const [one, x] = [0x80000000, 0x40000000];

/** The product of two polynomials modulo the CRC's. */
function product(a: number, b: number): number {
  let result = 0;
  let factor = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) result ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial;
  }
  return result >>> 0;
}

/** x to the powers 1, 2, 4, 8, … */
const squares = [x];
for (let at = 1; at < 32; at++) squares.push(product(squares[at - 1]!, squares[at - 1]!));

/** The factor by which the given number of following bytes shifts a CRC: x^(8 · bytes). */
export function shiftOf(bytes: number): number {
  let result = one;
  let exponent = bytes;
  // A byte has eight bits, so it begins with x^8, the fourth square.
  for (let at = 3; exponent > 0; at = (at + 1) % 31, exponent = Math.floor(exponent / 2)) {
    if (exponent % 2 === 1) result = product(squares[at]!, result);
  }
  return result;
}

/** @param shift {@link shiftOf} of the length of the second piece */
export const combineCrc32 = (first: number, second: number, shift: number): number =>
  (product(shift, first) ^ second) >>> 0;
