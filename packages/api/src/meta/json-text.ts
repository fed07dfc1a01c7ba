/** Checks JSON in a string field, with the errors of upstream's decoder. */

import { JsonSyntaxError, parseJsonTree } from '@coxswain/schema/json/parse.ts';

/**
 * Undefined for JSON of the expected form, or null.
 * @param goType as in the message: `map[string]interface {}`
 */
export function jsonProblem(text: string, form: 'object' | 'list', goType: string): string | undefined {
  try {
    // At the end Go reads a space, which terminates numbers and the like.
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
