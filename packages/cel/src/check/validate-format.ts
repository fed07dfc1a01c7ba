/** Validates literal format strings with their literal arguments. */

import { FormatError, clauseErrors, expandFormat } from '../formats/format-text.ts';
import type { Call, Expression } from '../syntax/expression.ts';
import { dynType, type CelType } from '../types/type.ts';

type Report = (at: Expression, message: string) => void;

export function checkFormat(call: Call, types: readonly CelType[], report: Report): void {
  if (call.function !== 'format' || call.target?.kind !== 'literal') return;
  const [list] = call.arguments;
  if (typeof call.target.value !== 'string' || list?.kind !== 'list') return;
  let used = 0;
  let wrong: Expression = call;
  try {
    const apply = (_: unknown, index: number, name: string): string => {
      used++;
      const found = wrongOperand(list.elements[index]!, name, types);
      if (!found) return '';
      wrong = found;
      throw new FormatError(`${clauseErrors[name]}, was given ${typeOf(found, types).name}`);
    };
    expandFormat(call.target.value, list.elements.length, apply, true);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    report(wrong, error.message);
    return;
  }
  const given = list.elements.length;
  if (given <= used) return;
  report(call, `too many arguments supplied to string.format (expected ${used}, got ${given})`);
}

const typeOf = (expression: Expression, types: readonly CelType[]): CelType =>
  types[expression.id] ?? dynType;

const integers: readonly CelType['kind'][] = ['int', 'uint'];
const doubles: readonly CelType['kind'][] = ['double', 'string'];

/** The types that each clause accepts; dynamic arguments are checked at evaluation. */
const accepted: Readonly<Record<string, readonly CelType['kind'][]>> = {
  s: [
    ...integers,
    ...doubles,
    ...(['list', 'map', 'bool', 'timestamp', 'bytes', 'duration', 'type', 'null'] as const),
  ],
  d: integers,
  f: doubles,
  e: doubles,
  b: [...integers, 'bool'],
  x: [...integers, 'string', 'bytes'],
  X: [...integers, 'string', 'bytes'],
  o: integers,
};

function wrongOperand(
  operand: Expression,
  clause: string,
  types: readonly CelType[],
): Expression | undefined {
  const { kind } = typeOf(operand, types);
  if (kind !== 'dyn' && !accepted[clause]?.includes(kind)) return operand;
  return clause === 's' ? wrongInside(operand, types) : undefined;
}

function wrongInside(operand: Expression, types: readonly CelType[]): Expression | undefined {
  const parts =
    operand.kind === 'list'
      ? operand.elements
      : operand.kind === 'map'
        ? operand.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const wrong = wrongOperand(part, 's', types);
    if (wrong) return wrong;
  }
  return undefined;
}
