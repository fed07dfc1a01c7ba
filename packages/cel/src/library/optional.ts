/** Optional values: `optional.of`, `.?field`, `optMap`. */

import type { Library } from '../declarations/library.ts';
import type { Expression } from '../syntax/expression.ts';
import { MacroError, type ExpressionMaker, type Macro } from '../syntax/macro.ts';
import { declareFunction, overload, type Implementation } from '../declarations/declaration.ts';
import { parseType } from '../types/signature.ts';
import { Double } from '../values/double.ts';
import { Duration } from '../values/duration.ts';
import { CelError } from '../values/error.ts';
import { ArrayList } from '../values/list.ts';
import { ListValue, MapValue, Optional, none, type Value } from '../values/value.ts';
import { valueText } from '../values/text.ts';
import { Timestamp, timestampSecondsMin } from '../values/timestamp.ts';
import { Uint } from '../values/uint.ts';

const one = (id: string, signature: string, evaluate?: (...args: never[]) => Value) =>
  overload(id, signature, evaluate as Implementation | undefined);

function isZero(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Duration) return value.nanoseconds === 0n;
  return value instanceof Timestamp && value.seconds === timestampSecondsMin && value.nanoseconds === 0;
}

function unwrap(list: ListValue): Value {
  const values: Value[] = [];
  for (const item of list.items()) {
    if (!(item instanceof Optional)) return new CelError(`value ${valueText(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return new ArrayList(values);
}

const elementAt = (list: ListValue, index: number): Value =>
  list.size === 0 ? none : new Optional(list.at(index));

/** Binds the value, if there is one, to a name while the expression is evaluated. */
function optionalMacro(
  name: string,
  wrap: (maker: ExpressionMaker, mapped: Expression) => Expression,
): Macro {
  return {
    name,
    argumentCount: 2,
    isReceiver: true,
    expand: (maker, target, [variable, mapped]) => {
      if (variable!.kind !== 'identifier') {
        throw new MacroError(variable!, `${name}() variable name must be a simple identifier`);
      }
      const hasValue = maker.memberCall('hasValue', target!);
      const bound = maker.comprehension(maker.list(), ['#unused', ''], variable!.name, {
        initial: maker.memberCall('value', maker.copy(target!)),
        condition: maker.literal(false),
        step: maker.identifier(variable!.name),
        result: mapped!,
      });
      return maker.call('_?_:_', hasValue, wrap(maker, bound), maker.call('optional.none'));
    },
  };
}

export const optionalLibrary: Library = {
  functions: [
    declareFunction('optional.of', [
      one('optional_of', '(V) -> optional(V)', (value: Value) => new Optional(value)),
    ]),
    declareFunction('optional.ofNonZeroValue', [
      one('optional_ofNonZeroValue', '(V) -> optional(V)', (value: Value) =>
        isZero(value) ? none : new Optional(value),
      ),
    ]),
    declareFunction('optional.none', [one('optional_none', '() -> optional(V)', () => none)]),
    declareFunction('optional.unwrap', [one('optional_unwrap', '(list(optional(V))) -> list(V)', unwrap)]),
    declareFunction('unwrapOpt', [one('optional_unwrapOpt', 'list(optional(V)).() -> list(V)', unwrap)]),
    declareFunction('value', [
      one('optional_value', 'optional(V).() -> V', (optional: Optional) =>
        optional.value === undefined ? new CelError('optional.none() dereference') : optional.value,
      ),
    ]),
    declareFunction('hasValue', [
      one(
        'optional_hasValue',
        'optional(V).() -> bool',
        (optional: Optional) => optional.value !== undefined,
      ),
    ]),
    declareFunction('or', [one('optional_or_optional', 'optional(V).(optional(V)) -> optional(V)')]),
    declareFunction('orValue', [one('optional_orValue_value', 'optional(V).(V) -> V')]),
    declareFunction('_?._', [one('select_optional_field', '(dyn, string) -> optional(V)')]),
    declareFunction('_[?_]', [
      one('list_optindex_optional_int', '(list(V), int) -> optional(V)'),
      one('optional_list_optindex_optional_int', '(optional(list(V)), int) -> optional(V)'),
      one('map_optindex_optional_value', '(map(K, V), K) -> optional(V)'),
      one('optional_map_optindex_optional_value', '(optional(map(K, V)), K) -> optional(V)'),
    ]),
    declareFunction('_[_]', [
      one('optional_list_index_int', '(optional(list(V)), int) -> optional(V)'),
      one('optional_map_index_value', '(optional(map(K, V)), K) -> optional(V)'),
    ]),
    declareFunction('first', [
      one('list_first', 'list(V).() -> optional(V)', (list: ListValue) => elementAt(list, 0)),
    ]),
    declareFunction('last', [
      one('list_last', 'list(V).() -> optional(V)', (list: ListValue) => elementAt(list, list.size - 1)),
    ]),
  ],
  macros: [
    optionalMacro('optMap', (maker, mapped) => maker.call('optional.of', mapped)),
    optionalMacro('optFlatMap', (_, mapped) => mapped),
  ],
  typeNames: { optional_type: parseType('optional(V)') },
};
