/** Go's strconv for decimal integers, with its error messages. */

import { goQuote } from './go-quote.ts';

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/** Undefined when Go would return a syntax or range error. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value > int64Max || value < int64Min ? undefined : value;
}

/**
 * `strconv.Atoi`, for indices and counts.
 * @throws Error with Go's message: `strconv.Atoi: parsing "x": invalid syntax`
 */
export function parseGoInteger(text: string): number {
  const value = parseInt64(text);
  if (value !== undefined) return Number(value);
  const problem = /^[+-]?[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw new Error(`strconv.Atoi: parsing ${goQuote(text)}: ${problem}`);
}
