/** Comprehensions with two variables: index and element of a list, key and value of a map. */

import type { Library } from '../declarations/library.ts';
import type { Expression } from '../syntax/expression.ts';
import { MacroError, accumulatorName, type ExpressionMaker, type Macro } from '../syntax/macro.ts';
import { declareFunction, overload } from '../declarations/declaration.ts';
import { CelError, noSuchOverload } from '../values/error.ts';
import { GrowingMap, mapOf } from '../values/map.ts';
import { MapValue, type Value } from '../values/value.ts';
import { valueText } from '../values/text.ts';
import { foldAll, foldExists, foldExistsOne, foldList, requireNotAccumulator } from './standard-macros.ts';

type Variables = readonly [string, string];

function variablesOf([first, second]: readonly Expression[]): Variables {
  const names = [first!, second!].map((argument) => {
    if (argument.kind !== 'identifier') throw new MacroError(argument, 'argument must be a simple name');
    return argument.name;
  });
  if (names[0] === names[1]) throw new MacroError(second!, `duplicate variable name: ${names[0]}`);
  requireNotAccumulator(first!, names[0]!);
  requireNotAccumulator(second!, names[1]!);
  return [names[0]!, names[1]!];
}

type Fold = (
  maker: ExpressionMaker,
  range: Expression,
  variables: Variables,
  transform: Expression,
  filter: Expression | undefined,
) => Expression;

const twoVariableMacro = (name: string, argumentCount: number, fold: Fold): Macro => ({
  name,
  argumentCount,
  isReceiver: true,
  expand: (maker, range, args) => {
    const variables = variablesOf(args);
    const filter = argumentCount === 4 ? args[2] : undefined;
    return fold(maker, range!, variables, args[argumentCount - 1]!, filter);
  },
});

function foldMap(
  maker: ExpressionMaker,
  range: Expression,
  variables: Variables,
  insert: Expression,
  filter: Expression | undefined,
): Expression {
  return maker.comprehension(range, variables, accumulatorName, {
    initial: maker.emptyMap(),
    condition: maker.literal(true),
    step: filter ? maker.call('_?_:_', filter, insert, maker.accumulator()) : insert,
    result: maker.accumulator(),
  });
}

const transformMap: Fold = (maker, range, variables, transform, filter) => {
  const insert = maker.call(mapInsert, maker.accumulator(), maker.identifier(variables[0]), transform);
  return foldMap(maker, range, variables, insert, filter);
};

const transformMapEntry: Fold = (maker, range, variables, transform, filter) =>
  foldMap(maker, range, variables, maker.call(mapInsert, maker.accumulator(), transform), filter);

const mapInsert = 'cel.@mapInsert';

function insertEntry(map: MapValue, key: Value, value: Value): Value {
  if (map.get(key) !== undefined) return new CelError(`insert failed: key ${valueText(key)} already exists`);
  if (map instanceof GrowingMap) return map.insert(key, value) ? map : noSuchOverload;
  return mapOf([...map.keys().map((known): [Value, Value] => [known, map.get(known)!]), [key, value]]);
}

function insertEntries(map: MapValue, added: MapValue): Value {
  let result: Value = map;
  for (const key of added.keys()) {
    if (!(result instanceof MapValue)) return result;
    result = insertEntry(result, key, added.get(key)!);
  }
  return result;
}

export const twoVariableComprehensions: Library = {
  functions: [
    declareFunction(mapInsert, [
      overload('@mapInsert_map_key_value', '(map(K, V), K, V) -> map(K, V)', insertEntry),
      overload('@mapInsert_map_map', '(map(K, V), map(K, V)) -> map(K, V)', insertEntries),
    ]),
  ],
  macros: [
    twoVariableMacro('all', 3, foldAll),
    twoVariableMacro('exists', 3, foldExists),
    twoVariableMacro('existsOne', 3, foldExistsOne),
    twoVariableMacro('exists_one', 3, foldExistsOne),
    twoVariableMacro('transformList', 3, foldList),
    twoVariableMacro('transformList', 4, foldList),
    twoVariableMacro('transformMap', 3, transformMap),
    twoVariableMacro('transformMap', 4, transformMap),
    twoVariableMacro('transformMapEntry', 3, transformMapEntry),
    twoVariableMacro('transformMapEntry', 4, transformMapEntry),
  ],
};
