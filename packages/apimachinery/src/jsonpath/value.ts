/** The results of a JSONPath as Go values: their type, printing and comparison. */
import { goValue } from '@coxswain/schema/scalars/go-value.ts';
import { goFloat } from '../go-quote.ts';

/** The type of the data's numbers: integers of unstructured objects are int64; plain encoding/json has only doubles. */
export type Numbers = 'integers' | 'doubles';

/** A number that is not from the data: a literal, or a byte of a string. */
export class TypedNumber {
  readonly value: number | bigint;
  readonly kind: 'int' | 'float';

  constructor(value: number | bigint, kind: 'int' | 'float') {
    this.value = value;
    this.kind = kind;
  }
}

const int64Limit = 2 ** 63;

function numberKind(value: number, numbers: Numbers): 'int' | 'float' {
  return numbers === 'integers' && Number.isInteger(value) && Math.abs(value) < int64Limit ? 'int' : 'float';
}

export type Kind = 'string' | 'bool' | 'int' | 'float' | 'list' | 'map' | 'nothing';

export function kindOf(value: unknown, numbers: Numbers): Kind {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return numberKind(value, numbers);
  if (value instanceof TypedNumber) return value.kind;
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'list' : 'map';
}

const typeNames: Readonly<Record<Kind, string>> = {
  string: 'string',
  bool: 'bool',
  int: 'int64',
  float: 'float64',
  list: '[]interface {}',
  map: 'map[string]interface {}',
  nothing: '<nil>',
};

/** `%T` */
export const typeNameOf = (value: unknown, numbers: Numbers = 'integers'): string =>
  typeNames[kindOf(value, numbers)];

/** `%v`: `map[a:1 b:[x y]]`, `<nil>` */
export function printedValue(value: unknown, numbers: Numbers = 'integers'): string {
  if (value instanceof TypedNumber) {
    return value.kind === 'int' ? String(value.value) : goFloat(Number(value.value));
  }
  return goValue(value, (number) =>
    numberKind(number, numbers) === 'int' ? BigInt(number).toString() : goFloat(number),
  );
}

const plain = (value: unknown): string | number | bigint | boolean =>
  (value instanceof TypedNumber ? value.value : value) as string | number | bigint | boolean;

/** @throws Error for values that can't be compared, or have no order */
export function isLess(left: unknown, right: unknown, numbers: Numbers): boolean {
  if (comparableKind(left, right, numbers) === 'bool') throw new Error('invalid type for comparison');
  return plain(left) < plain(right);
}

/** @throws Error for values that can't be compared */
export function isEqual(left: unknown, right: unknown, numbers: Numbers): boolean {
  comparableKind(left, right, numbers);
  const [a, b] = [plain(left), plain(right)];
  return typeof a === typeof b ? a === b : Number(a) === Number(b);
}

function comparableKind(left: unknown, right: unknown, numbers: Numbers): Kind {
  const [a, b] = [kindOf(left, numbers), kindOf(right, numbers)];
  if (!isBasic(a) || !isBasic(b)) throw new Error('invalid type for comparison');
  if (a !== b) throw new Error('incompatible types for comparison');
  return a;
}

const isBasic = (kind: Kind): boolean => kind !== 'list' && kind !== 'map' && kind !== 'nothing';
