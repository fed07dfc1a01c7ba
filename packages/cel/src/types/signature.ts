/** Parses an overload's signature, `list(A).(int, map(string, A)) -> optional(A)`. */

import * as types from './type.ts';
import type { CelType } from './type.ts';

export interface Signature {
  readonly isMember: boolean;
  readonly arguments: readonly CelType[];
  readonly result: CelType;
  readonly typeParameters: readonly string[];
}

export function parseSignature(text: string): Signature {
  const arrow = text.lastIndexOf(' -> ');
  const head = text.slice(0, arrow);
  const open = openingParenthesis(head);
  const isMember = head[open - 1] === '.';
  const target = isMember ? [parseType(head.slice(0, open - 1))] : [];
  const inner = head.slice(open + 1, -1);
  const arguments_ = [...target, ...(inner === '' ? [] : splitAtCommas(inner).map(parseType))];
  const result = parseType(text.slice(arrow + 4));
  const typeParameters = new Set([...arguments_, result].flatMap(parametersOf));
  return { isMember, arguments: arguments_, result, typeParameters: [...typeParameters] };
}

const simpleTypes: Readonly<Record<string, CelType>> = {
  any: types.anyType,
  bool: types.boolType,
  bytes: types.bytesType,
  double: types.doubleType,
  duration: types.durationType,
  dyn: types.dynType,
  int: types.intType,
  null: types.nullType,
  string: types.stringType,
  timestamp: types.timestampType,
  type: types.typeType,
  uint: types.uintType,
  'net.IP': types.opaqueType('net.IP'),
  'net.CIDR': types.opaqueType('net.CIDR'),
};

export function parseType(text: string): CelType {
  const open = text.indexOf('(');
  if (open < 0) {
    const simple = simpleTypes[text];
    if (simple) return simple;
    return /^[A-Z]$/.test(text) ? types.typeParameter(text) : types.structType(text);
  }
  const parameters = splitAtCommas(text.slice(open + 1, -1)).map(parseType);
  const [first, second] = parameters;
  switch (text.slice(0, open)) {
    case 'list':
      return types.listType(first!);
    case 'map':
      return types.mapType(first!, second!);
    case 'type':
      return types.typeOfType(first!);
    case 'optional':
      return types.optionalType(first!);
    default:
      return types.opaqueType(text.slice(0, open), ...parameters);
  }
}

/** The opening parenthesis of the argument list, which is the last one. */
function openingParenthesis(text: string): number {
  let depth = 0;
  for (let index = text.length - 1; index >= 0; index--) {
    if (text[index] === ')') depth++;
    if (text[index] === '(' && --depth === 0) return index;
  }
  return 0;
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth++;
    if (text[index] === ')') depth--;
    if (text[index] !== ',' || depth > 0) continue;
    parts.push(text.slice(start, index).trim());
    start = index + 1;
  }
  return [...parts, text.slice(start).trim()];
}

const parametersOf = (type: CelType): string[] =>
  type.kind === 'typeParameter' ? [type.name] : type.parameters.flatMap(parametersOf);
