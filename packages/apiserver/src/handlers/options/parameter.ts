/** Parses query parameters as Go does, with its messages. */
import { badRequest } from '@coxswain/apimachinery/errors.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';

/** @throws StatusError 400 */
export function integerOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  const value = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(64, value) !== value)
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  return Number(value);
}

/** Any value is true, except `0` and `false`. */
export function booleanOf(parameters: URLSearchParams, name: string): boolean | undefined {
  const text = parameters.get(name);
  return text === null ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}

export const textOf = (parameters: URLSearchParams, name: string): string => parameters.get(name) ?? '';
