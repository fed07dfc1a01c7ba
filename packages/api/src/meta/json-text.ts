/** JSON inside a string of an object: what the original's decoder says of it. */

import { JsonSyntaxError, parseJsonTree } from '@coxswain/schema/json/parse.ts';

/**
 * Undefined for text that is JSON of the wanted form, or null.
 * @param goType as the message names it: `map[string]interface {}`
 */
export function jsonProblem(text: string, form: 'object' | 'list', goType: string): string | undefined {
  try {
    // At its end Go looks at a space, which ends what has no end of its own.
    parseJsonTree(`${text} `);
  } catch (failure) {
    if (failure instanceof JsonSyntaxError) return failure.message;
    throw failure;
  }
  const value: unknown = JSON.parse(text);
  if (value === null || (form === 'list' ? Array.isArray(value) : isObject(value))) return undefined;
  return `json: cannot unmarshal ${nameOf(value)} into Go value of type ${goType}`;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
