/** The language's own functions on strings and sizes. */

import { countCodePoints } from '../values/code-points.ts';
import { declareFunction, overload, type FunctionDeclaration } from '../declarations/declaration.ts';
import { noSuchOverload } from '../values/error.ts';
import { ListValue, MapValue, type Value, StructValue } from '../values/value.ts';
import { matchesRegularExpression } from '../formats/regular-expression.ts';
import { unsupported } from '../values/unsupported.ts';

function size(value: Value): Value {
  if (typeof value === 'string') return countCodePoints(value);
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof StructValue && value.keys) return value.entryCount;
  return unsupported('size', value);
}

const onTexts =
  (test: (text: string, part: string) => Value) =>
  (text: Value | undefined, part: Value | undefined): Value =>
    typeof text === 'string' && typeof part === 'string' ? test(text, part) : noSuchOverload;

export const standardTextFunctions: readonly FunctionDeclaration[] = [
  declareFunction(
    'size',
    ['bytes', 'list(A)', 'map(A, B)', 'string'].flatMap((type) => {
      const name = type.replace(/\(.*/, '');
      return [overload(`size_${name}`, `(${type}) -> int`), overload(`${name}_size`, `${type}.() -> int`)];
    }),
    (value) => size(value!),
  ),
  declareFunction(
    'contains',
    [overload('contains_string', 'string.(string) -> bool')],
    onTexts((text, part) => text.includes(part)),
  ),
  declareFunction(
    'endsWith',
    [overload('ends_with_string', 'string.(string) -> bool')],
    onTexts((text, part) => text.endsWith(part)),
  ),
  declareFunction(
    'startsWith',
    [overload('starts_with_string', 'string.(string) -> bool')],
    onTexts((text, part) => text.startsWith(part)),
  ),
  declareFunction(
    'matches',
    [overload('matches', '(string, string) -> bool'), overload('matches_string', 'string.(string) -> bool')],
    (text, pattern) => {
      if (typeof text !== 'string') return noSuchOverload;
      return typeof pattern === 'string' ? matchesRegularExpression(text, pattern) : noSuchOverload;
    },
  ),
];
