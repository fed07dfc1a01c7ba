/** Set operations on lists. */

import type { Library } from '../declarations/library.ts';
import { declareFunction, overload } from '../declarations/declaration.ts';
import { equalValues } from '../values/equal.ts';
import type { ListValue, Value } from '../values/value.ts';

const has = (list: ListValue, value: Value): boolean => list.items().some((item) => equalValues(value, item));

const containsAll = (list: ListValue, part: ListValue): boolean =>
  part.items().every((item) => has(list, item));

const onLists = '(list(T), list(T)) -> bool';

export const setsLibrary: Library = {
  functions: [
    declareFunction('sets.contains', [overload('list_sets_contains_list', onLists, containsAll)]),
    declareFunction('sets.equivalent', [
      overload(
        'list_sets_equivalent_list',
        onLists,
        (one: ListValue, other: ListValue) => containsAll(one, other) && containsAll(other, one),
      ),
    ]),
    declareFunction('sets.intersects', [
      overload('list_sets_intersects_list', onLists, (one: ListValue, other: ListValue) =>
        one.items().some((item) => has(other, item)),
      ),
    ]),
  ],
};
