/** RE2's regular expressions: their time is linear in the text, whatever the pattern is. */

import { RE2JS } from 're2js';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { CelError } from '../values/error.ts';

/** The maximum number of cached patterns; the oldest are dropped first. */
const cachedPatternsMax = 500;

const cache = new Map<string, RE2JS | CelError>();

/** The error has Go's message: "error parsing regexp: missing closing ): `(`". */
export function compileRegularExpression(pattern: string): RE2JS | CelError {
  const known = cache.get(pattern);
  if (known) return known;
  const compiled = compile(pattern);
  if (cache.size >= cachedPatternsMax) cache.delete(cache.keys().next().value!);
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): RE2JS | CelError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const message = messageOf(error);
    // Go quotes the rest of the pattern, which is empty.
    return new CelError(message.endsWith('at end of expression') ? `${message}: \`\`` : message);
  }
}

export function matchesRegularExpression(text: string, pattern: string): boolean | CelError {
  const compiled = compileRegularExpression(pattern);
  return compiled instanceof CelError ? compiled : compiled.test(text);
}
