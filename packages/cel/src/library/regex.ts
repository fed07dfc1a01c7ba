/** `find` and `findAll`. */

import type { Library } from '../declarations/library.ts';
import { declareFunction, overload } from '../declarations/declaration.ts';
import { CelError } from '../values/error.ts';
import type { Int } from '../values/int.ts';
import { ArrayList } from '../values/list.ts';
import type { Value } from '../values/value.ts';
import { compileRegularExpression } from '../formats/regular-expression.ts';

function find(text: string, pattern: string): Value {
  const found = findTexts(text, pattern, 1);
  return found instanceof CelError ? found : (found[0] ?? '');
}

function findAll(text: string, pattern: string, count: Int = -1): Value {
  const found = findTexts(text, pattern, count < 0 ? Infinity : Number(count));
  return found instanceof CelError ? found : new ArrayList(found);
}

function findTexts(text: string, pattern: string, count: number): string[] | CelError {
  const compiled = compileRegularExpression(pattern);
  if (compiled instanceof CelError) return new CelError(`Illegal regex: ${compiled.message}`);
  const matcher = compiled.matcher(text);
  const found: string[] = [];
  let previousEnd = -1;
  while (found.length < count && matcher.find()) {
    // An empty match directly after another match doesn't count.
    const isAdjacent = matcher.start() === matcher.end() && matcher.start() === previousEnd;
    if (!isAdjacent) found.push(matcher.group() ?? '');
    previousEnd = matcher.end();
  }
  return found;
}

export const regexLibrary: Library = {
  functions: [
    declareFunction('find', [overload('string_find_string', 'string.(string) -> string', find)]),
    declareFunction('findAll', [
      overload('string_find_all_string', 'string.(string) -> list(string)', findAll),
      overload('string_find_all_string_int', 'string.(string, int) -> list(string)', findAll),
    ]),
  ],
  regularExpressions: { find: 1, findAll: 1 },
};
