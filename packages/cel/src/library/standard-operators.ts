/** Operators of the language. */

import {
  declareFunction,
  overload,
  type FunctionDeclaration,
  type Overload,
} from '../declarations/declaration.ts';
import {
  addValues,
  divideValues,
  multiplyValues,
  negateValue,
  remainderOfValues,
  subtractValues,
} from '../values/arithmetic.ts';
import { compareValues, isComparable } from '../values/compare.ts';
import { equalValues } from '../values/equal.ts';
import { CelError, noSuchOverload } from '../values/error.ts';
import { ListValue, MapValue, StructValue, type Value } from '../values/value.ts';

type Order = (order: number) => boolean;

function comparison(name: string, prefix: string, holds: Order): FunctionDeclaration {
  const types: readonly (readonly [string, string])[] = [
    ['bool', 'bool'],
    ['int64', 'int'],
    ['int64_double', 'int, double'],
    ['int64_uint64', 'int, uint'],
    ['uint64', 'uint'],
    ['uint64_double', 'uint, double'],
    ['uint64_int64', 'uint, int'],
    ['double', 'double'],
    ['double_int64', 'double, int'],
    ['double_uint64', 'double, uint'],
    ['string', 'string'],
    ['bytes', 'bytes'],
    ['timestamp', 'timestamp'],
    ['duration', 'duration'],
  ];
  const overloads = types.map(([suffix, type]) =>
    overload(`${prefix}_${suffix}`, `(${type.includes(',') ? type : `${type}, ${type}`}) -> bool`),
  );
  return declareFunction(name, overloads, (one, other) => {
    if (!isComparable(one!)) return new CelError(`no such overload: ${name}`);
    const order = compareValues(one!, other!);
    return order instanceof CelError ? order : holds(order);
  });
}

const inOverloads: readonly Overload[] = [
  overload('in_list', '(A, list(A)) -> bool'),
  overload('in_map', '(A, map(A, B)) -> bool'),
];

function isIn(item: Value, container: Value): Value {
  if (container instanceof ListValue) return container.items().some((member) => equalValues(item, member));
  if (container instanceof MapValue) return container.get(item) !== undefined;
  if (container instanceof StructValue && container.keys) {
    return typeof item === 'string' ? container.has(item) : noSuchOverload;
  }
  return noSuchOverload;
}

/** Operators that the program evaluates itself have no function here. */
export const standardOperators: readonly FunctionDeclaration[] = [
  declareFunction('!_', [overload('logical_not', '(bool) -> bool')], (value) =>
    typeof value === 'boolean' ? !value : noSuchOverload,
  ),
  declareFunction('_&&_', [overload('logical_and', '(bool, bool) -> bool')]),
  declareFunction('_||_', [overload('logical_or', '(bool, bool) -> bool')]),
  declareFunction('_?_:_', [overload('conditional', '(bool, A, A) -> A')]),
  declareFunction('_==_', [overload('equals', '(A, A) -> bool')]),
  declareFunction('_!=_', [overload('not_equals', '(A, A) -> bool')]),
  declareFunction('@not_strictly_false', [overload('not_strictly_false', '(bool) -> bool')]),
  declareFunction('__not_strictly_false__', [overload('__not_strictly_false__', '(bool) -> bool')]),
  declareFunction(
    '-_',
    [overload('negate_double', '(double) -> double'), overload('negate_int64', '(int) -> int')],
    (value) => negateValue(value!),
  ),
  declareFunction('@in', inOverloads, (item, container) => isIn(item!, container!)),
  declareFunction('in', inOverloads, (item, container) => isIn(item!, container!)),
  declareFunction('_in_', inOverloads, (item, container) => isIn(item!, container!)),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  declareFunction(
    '_+_',
    [
      overload('add_bytes', '(bytes, bytes) -> bytes'),
      overload('add_double', '(double, double) -> double'),
      overload('add_duration_duration', '(duration, duration) -> duration'),
      overload('add_duration_timestamp', '(duration, timestamp) -> timestamp'),
      overload('add_timestamp_duration', '(timestamp, duration) -> timestamp'),
      overload('add_int64', '(int, int) -> int'),
      overload('add_list', '(list(A), list(A)) -> list(A)'),
      overload('add_string', '(string, string) -> string'),
      overload('add_uint64', '(uint, uint) -> uint'),
    ],
    (one, other) => addValues(one!, other!),
  ),
  declareFunction(
    '_-_',
    [
      overload('subtract_double', '(double, double) -> double'),
      overload('subtract_duration_duration', '(duration, duration) -> duration'),
      overload('subtract_int64', '(int, int) -> int'),
      overload('subtract_timestamp_duration', '(timestamp, duration) -> timestamp'),
      overload('subtract_timestamp_timestamp', '(timestamp, timestamp) -> duration'),
      overload('subtract_uint64', '(uint, uint) -> uint'),
    ],
    (one, other) => subtractValues(one!, other!),
  ),
  declareFunction(
    '_*_',
    [
      overload('multiply_double', '(double, double) -> double'),
      overload('multiply_int64', '(int, int) -> int'),
      overload('multiply_uint64', '(uint, uint) -> uint'),
    ],
    (one, other) => multiplyValues(one!, other!),
  ),
  declareFunction(
    '_/_',
    [
      overload('divide_double', '(double, double) -> double'),
      overload('divide_int64', '(int, int) -> int'),
      overload('divide_uint64', '(uint, uint) -> uint'),
    ],
    (one, other) => divideValues(one!, other!),
  ),
  declareFunction(
    '_%_',
    [overload('modulo_int64', '(int, int) -> int'), overload('modulo_uint64', '(uint, uint) -> uint')],
    (one, other) => remainderOfValues(one!, other!),
  ),
  declareFunction('_[_]', [
    overload('index_list', '(list(A), int) -> A'),
    overload('index_map', '(map(A, B), A) -> B'),
  ]),
];
