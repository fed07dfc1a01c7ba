/** Lists: the extension library in the version that Kubernetes enables. */

import type { Library } from '../declarations/library.ts';
import { MacroError, type Macro } from '../syntax/macro.ts';
import { declareFunction, overload } from '../declarations/declaration.ts';
import { parseType } from '../types/signature.ts';
import { compareValues, isComparable } from '../values/compare.ts';
import { equalValues } from '../values/equal.ts';
import { CelError } from '../values/error.ts';
import type { Int } from '../values/int.ts';
import { ArrayList } from '../values/list.ts';
import { ListValue, type Value } from '../values/value.ts';
import { typeNameOf } from '../values/type-of.ts';
import { standardMacros } from './standard-macros.ts';

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

/** The maximum length of `lists.range`; the cost limit is reached before anyway. */
const rangeSizeMax = 10_000_000;

function slice(list: ListValue, start: Int, end: Int): Value {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0 || end < 0) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (list.size < end) return new CelError(`${call}, list is length ${list.size}`);
  return new ArrayList(list.items().slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth: Int = 1): Value {
  if (depth < 0) return new CelError('level must be non-negative');
  return new ArrayList(flatItems(list, Number(depth)));
}

const flatItems = (list: ListValue, depth: number): Value[] =>
  list
    .items()
    .flatMap((item) => (item instanceof ListValue && depth > 0 ? flatItems(item, depth - 1) : [item]));

function sortBy(list: ListValue, keys: ListValue): Value {
  if (list.size !== keys.size) {
    const sizes = `${list.size} and ${keys.size} elements respectively`;
    const expected = 'expected a list of the same size as the associated keys list';
    return new CelError(`@sortByAssociatedKeys() ${expected}, but got ${sizes}`);
  }
  if (list.size === 0) return list;
  const keyItems = keys.items();
  if (!isComparable(keyItems[0]!)) return new CelError('list elements must be comparable');
  const typeName = typeNameOf(keyItems[0]!);
  if (keyItems.some((key) => typeNameOf(key) !== typeName)) {
    return new CelError('list elements must have the same type');
  }
  const order = keyItems.map((_, index) => index);
  order.sort((one, other) => {
    const compared = compareValues(keyItems[one]!, keyItems[other]!);
    return typeof compared === 'number' ? compared : 0;
  });
  return new ArrayList(order.map((index) => list.at(index)));
}

function distinct(list: ListValue): Value {
  // An empty set remains a set.
  if (list.size === 0) return list;
  const found: Value[] = [];
  for (const item of list.items()) {
    if (!found.some((known) => equalValues(item, known))) found.push(item);
  }
  return new ArrayList(found);
}

function range(size: Int): Value {
  if (size > rangeSizeMax) return new CelError('operation cancelled: actual cost limit exceeded');
  return new ArrayList(Array.from({ length: Math.max(Number(size), 0) }, (_, index) => index));
}

const sortByMacro: Macro = {
  name: 'sortBy',
  argumentCount: 2,
  isReceiver: true,
  expand: (maker, target, args) => {
    if (!sortable.has(target!.kind)) {
      const allowed = 'list, identifier, comprehension, call or select expression';
      throw new MacroError(target!, `sortBy can only be applied to a ${allowed}`);
    }
    const name = '@__sortBy_input__';
    const input = maker.identifier(name);
    const keys = mapMacro.expand(maker, maker.copy(input), args)!;
    const sorted = maker.memberCall('@sortByAssociatedKeys', maker.copy(input), keys);
    return maker.comprehension(maker.list(), ['#unused', ''], name, {
      initial: target!,
      condition: maker.literal(false),
      step: input,
      result: sorted,
    });
  },
};

const sortable = new Set(['list', 'select', 'identifier', 'comprehension', 'call']);
const mapMacro = standardMacros.find(({ name, argumentCount }) => name === 'map' && argumentCount === 2)!;

const runtimeName = (type: string): string => parseType(type).name;

export const listsLibrary: Library = {
  functions: [
    declareFunction('slice', [overload('list_slice', 'list(T).(int, int) -> list(T)', slice)]),
    declareFunction('flatten', [
      overload('list_flatten', 'list(list(T)).() -> list(T)', flatten),
      overload('list_flatten_int', 'list(dyn).(int) -> list(dyn)', flatten),
    ]),
    declareFunction(
      'sort',
      comparable.map((type) =>
        overload(`list_${runtimeName(type)}_sort`, `list(${type}).() -> list(${type})`, (list: ListValue) =>
          sortBy(list, list),
        ),
      ),
    ),
    declareFunction(
      '@sortByAssociatedKeys',
      comparable.map((type) =>
        overload(
          `list_${runtimeName(type)}_sortByAssociatedKeys`,
          `list(T).(list(${type})) -> list(T)`,
          sortBy,
        ),
      ),
    ),
    declareFunction('lists.range', [overload('lists_range', '(int) -> list(int)', range)]),
    declareFunction('reverse', [
      overload(
        'list_reverse',
        'list(T).() -> list(T)',
        (list: ListValue) => new ArrayList(list.items().toReversed()),
      ),
    ]),
    declareFunction('distinct', [overload('list_distinct', 'list(T).() -> list(T)', distinct)]),
  ],
  macros: [sortByMacro],
};
