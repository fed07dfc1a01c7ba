/**
 * Reports literals that would always fail: durations, timestamps, regular expressions, format strings; and lists of
 * mixed types.
 */

import {
  childrenOf,
  walk,
  type Call,
  type Expression,
  type ListExpression,
  type MapExpression,
} from '../syntax/expression.ts';
import type { ParseContext } from '../syntax/parse-context.ts';
import { formatType } from '../types/format-type.ts';
import { dynType, isEquivalentType, type CelType } from '../types/type.ts';
import { isError } from '../values/error.ts';
import type { Value } from '../values/value.ts';
import { compileRegularExpression } from '../formats/regular-expression.ts';
import type { CheckedExpression } from './checker.ts';
import { checkFormat } from './validate-format.ts';
import type { Scope } from './scope.ts';

export function validateLiterals(
  checked: CheckedExpression,
  context: ParseContext,
  scope: Scope,
  isHomogeneous: boolean,
): void {
  const report = (at: Expression, message: string): void =>
    context.report(context.offsets[at.id] ?? 0, message);
  walk(checked.expression, (expression) => {
    if (expression.kind !== 'call') return;
    const wrong = wrongArgument(expression, scope);
    if (wrong) report(wrong, `invalid ${expression.function} argument`);
  });
  walk(checked.expression, (expression) => {
    if (expression.kind === 'call') checkFormat(expression, checked.types, report);
  });
  if (isHomogeneous) checkHomogeneity(checked.expression, checked.types, report);
}

/** Arguments of a format may have mixed types. */
function checkHomogeneity(expression: Expression, types: readonly CelType[], report: Report): void {
  if (expression.kind === 'call' && expression.function === 'format') return;
  if (expression.kind === 'list') checkElements(expression, types, report);
  if (expression.kind === 'map') checkEntries(expression, types, report);
  for (const child of childrenOf(expression)) checkHomogeneity(child, types, report);
}

type Convert = (value: Value) => Value;

type Report = (at: Expression, message: string) => void;

function wrongArgument(call: Call, scope: Scope): Expression | undefined {
  const [literal] = call.arguments;
  if (literal?.kind !== 'literal') return undefined;
  if (call.function === 'matches') {
    const isWrong = typeof literal.value === 'string' && isError(compileRegularExpression(literal.value));
    return isWrong ? literal : undefined;
  }
  if (call.function !== 'duration' && call.function !== 'timestamp') return undefined;
  // All of its overloads convert in the same way.
  const convert = scope.functions.get(call.function)?.overloads[0]?.evaluate as Convert | undefined;
  return convert && isError(convert(literal.value as Value)) ? literal : undefined;
}

function checkElements(list: ListExpression, types: readonly CelType[], report: Report): void {
  let expected: CelType | undefined;
  for (const [index, element] of list.elements.entries()) {
    const type = unwrapped(types[element.id], list.optionals.has(index));
    expected ??= type;
    if (isEquivalentType(expected, type)) continue;
    report(element, mismatch(expected, type));
    return;
  }
}

function checkEntries(map: MapExpression, types: readonly CelType[], report: Report): void {
  let expectedKey: CelType | undefined;
  let expectedValue: CelType | undefined;
  for (const { key, value, isOptional } of map.entries) {
    const keyType = unwrapped(types[key.id], false);
    const valueType = unwrapped(types[value.id], isOptional);
    expectedKey ??= keyType;
    expectedValue ??= valueType;
    if (!isEquivalentType(expectedKey, keyType)) report(key, mismatch(expectedKey, keyType));
    if (!isEquivalentType(expectedValue, valueType)) report(value, mismatch(expectedValue, valueType));
  }
}

const unwrapped = (type: CelType | undefined, isOptional: boolean): CelType =>
  (isOptional ? type?.parameters[0] : type) ?? dynType;

const mismatch = (expected: CelType, actual: CelType): string =>
  `expected type '${formatType(expected)}' but found '${formatType(actual)}'`;
