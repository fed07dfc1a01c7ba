/** Go's strconv for decimal integers: what it accepts, and the texts of its errors. */

import { goQuote } from './go-quote.ts';

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/** The value, or undefined when Go would answer with a syntax or range error. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value > int64Max || value < int64Min ? undefined : value;
}

/**
 * `strconv.Atoi`, for numbers that are used as indices and counts.
 * @throws Error with Go's text: `strconv.Atoi: parsing "x": invalid syntax`
 */
export function parseGoInteger(text: string): number {
  const value = parseInt64(text);
  if (value !== undefined) return Number(value);
  const problem = /^[+-]?[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw new Error(`strconv.Atoi: parsing ${goQuote(text)}: ${problem}`);
}
