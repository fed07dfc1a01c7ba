/** intstr.IntOrString: a count, or a percentage of one (`3`, `"25%"`). */

import { parseGoInteger } from './go-integer.ts';
import { goQuote } from './go-quote.ts';
import { messageOf } from './message-of.ts';

export type IntOrString = number | string;

/** The number itself; for a string the number that it represents, or 0. */
export function intValue(value: IntOrString): number {
  if (typeof value === 'number') return value;
  try {
    return parseGoInteger(value);
  } catch {
    return 0;
  }
}

export interface ParsedIntOrPercent {
  readonly value: number;
  readonly isPercent: boolean;
}

/** @throws Error with upstream's message when it is neither a number nor a percentage */
function parseIntOrPercent(value: IntOrString): ParsedIntOrPercent {
  if (typeof value === 'number') return { value, isPercent: false };
  if (!value.endsWith('%')) throw new Error('invalid type: string is not a percentage');
  try {
    return { value: parseGoInteger(value.slice(0, -1)), isPercent: true };
  } catch (error) {
    throw new Error(`invalid value ${goQuote(value)}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * `value` as a count, with percentages of `total`.
 * @throws Error `invalid value for IntOrString: …`
 */
export function scaledIntOrPercent(value: IntOrString | undefined, total: number, roundUp: boolean): number {
  if (value === undefined) throw new Error('nil value for IntOrString');
  let parsed: ParsedIntOrPercent;
  try {
    parsed = parseIntOrPercent(value);
  } catch (error) {
    throw new Error(`invalid value for IntOrString: ${messageOf(error)}`, { cause: error });
  }
  if (!parsed.isPercent) return parsed.value;
  const share = (parsed.value * total) / 100;
  return roundUp ? Math.ceil(share) : Math.floor(share);
}
