/** Lists: the functions that Kubernetes adds. */

import type { Library } from '../declarations/library.ts';
import { declareFunction, overload, type FunctionDeclaration } from '../declarations/declaration.ts';
import { addValues } from '../values/arithmetic.ts';
import { compareValues } from '../values/compare.ts';
import { Double } from '../values/double.ts';
import { Duration } from '../values/duration.ts';
import { equalValues } from '../values/equal.ts';
import { CelError } from '../values/error.ts';
import type { ListValue, Value } from '../values/value.ts';
import { Uint } from '../values/uint.ts';

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

const zeros: Readonly<Record<string, Value>> = {
  int: 0,
  uint: new Uint(0n),
  double: new Double(0),
  duration: new Duration(0n),
};

function isSorted(list: ListValue): Value {
  const items = list.items();
  return items.every((item, index) => index === 0 || compareValues(items[index - 1]!, item) !== 1);
}

const sumFrom =
  (zero: Value) =>
  (list: ListValue): Value => {
    let sum = zero;
    for (const item of list.items()) {
      sum = addValues(sum, item);
      if (sum instanceof CelError) return sum;
    }
    return sum;
  };

/** @param loses the order of a value to another that replaces it */
const best =
  (name: string, loses: number) =>
  (list: ListValue): Value => {
    const [first, ...rest] = list.items();
    if (first === undefined) return new CelError(`${name} called on empty list`);
    return rest.reduce((found, item) => (compareValues(found, item) === loses ? item : found), first);
  };

const extreme = (name: string, loses: number): FunctionDeclaration =>
  declareFunction(
    name,
    comparable.map((type) =>
      overload(`list_${type}_${name}_${type}`, `list(${type}).() -> ${type}`, best(name, loses)),
    ),
  );

export const kubernetesListsLibrary: Library = {
  functions: [
    declareFunction(
      'isSorted',
      comparable.map((type) => overload(`list_${type}_is_sorted_bool`, `list(${type}).() -> bool`, isSorted)),
    ),
    declareFunction(
      'sum',
      Object.entries(zeros).map(([type, zero]) =>
        overload(`list_${type}_sum_${type}`, `list(${type}).() -> ${type}`, sumFrom(zero)),
      ),
    ),
    extreme('max', -1),
    extreme('min', 1),
    declareFunction('indexOf', [
      overload('list_a_index_of_int', 'list(A).(A) -> int', (list: ListValue, item: Value) =>
        list.items().findIndex((member) => equalValues(member, item)),
      ),
    ]),
    declareFunction('lastIndexOf', [
      overload('list_a_last_index_of_int', 'list(A).(A) -> int', (list: ListValue, item: Value) =>
        list.items().findLastIndex((member) => equalValues(member, item)),
      ),
    ]),
  ],
};
