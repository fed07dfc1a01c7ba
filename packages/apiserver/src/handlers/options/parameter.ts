/** Query parameters as Go reads them, with its messages. */
import { badRequest } from '@coxswain/apimachinery/errors.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';

/** @throws StatusError 400 */
export function integerOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  const value = Number(text);
  if (Math.abs(value) > 2 ** 63)
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  return value;
}

/** Whatever is there is true, but `0` and `false`. */
export function booleanOf(parameters: URLSearchParams, name: string): boolean | undefined {
  const text = parameters.get(name);
  return text === null ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}

export const textOf = (parameters: URLSearchParams, name: string): string => parameters.get(name) ?? '';
