/** Comprehensions. */

import { CelError } from '../values/error.ts';
import { ArrayList, GrowingList } from '../values/list.ts';
import { ListValue, MapValue, StructValue, type Value } from '../values/value.ts';
import { GrowingMap } from '../values/map.ts';
import { typeNameOf } from '../values/type-of.ts';
import type { Node } from './node.ts';
import type { Evaluate, Run } from './run.ts';

interface Fold {
  readonly range: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
  readonly slots: { readonly accumulator: number; readonly variable: number; readonly second: number };
  readonly isPair: boolean;
}

export function planFold({ range, condition, step, result, slots, isPair }: Fold): Evaluate {
  const isEndless = condition.constant === true;
  /** Returns whether to continue. */
  const visit = (run: Run): boolean => {
    if (!isEndless && condition.evaluate(run) === false) return false;
    run.locals[slots.accumulator] = step.evaluate(run);
    return true;
  };
  return (run) => {
    const over = range.evaluate(run);
    if (over instanceof CelError) return over;
    run.locals[slots.accumulator] = undefined;
    const first = slots.variable;
    const second = isPair ? slots.second : -1;
    if (over instanceof ListValue) foldList(run, over, first, second, visit);
    else if (over instanceof MapValue) foldMap(run, over, first, second, visit);
    else if (over instanceof StructValue && over.keys) foldStruct(run, over, first, second, visit);
    else return notIterable(over, isPair);
    return finished(result.evaluate(run));
  };
}

function notIterable(value: Value, isPair: boolean): CelError {
  const name = originalTypeNames[typeNameOf(value)] ?? typeNameOf(value);
  if (isPair) return new CelError(`unsupported comprehension range type: ${name}`);
  return new CelError(`got '${name}', expected iterable type`);
}

/** Upstream's implementation names of the types. */
const originalTypeNames: Readonly<Record<string, string>> = {
  bool: 'types.Bool',
  bytes: 'types.Bytes',
  double: 'types.Double',
  'google.protobuf.Duration': 'types.Duration',
  'google.protobuf.Timestamp': 'types.Timestamp',
  int: 'types.Int',
  null_type: 'types.Null',
  optional_type: '*types.Optional',
  string: 'types.String',
  type: '*types.Type',
  uint: 'types.Uint',
};

type Visit = (run: Run) => boolean;

function foldList(run: Run, list: ListValue, first: number, second: number, visit: Visit): void {
  for (let index = 0; index < list.size; index++) {
    if (second >= 0) {
      run.locals[first] = index;
      run.locals[second] = list.at(index);
    } else {
      run.locals[first] = list.at(index);
    }
    if (!visit(run)) return;
  }
}

function foldMap(run: Run, map: MapValue, first: number, second: number, visit: Visit): void {
  for (const key of map.keys()) {
    run.locals[first] = key;
    if (second >= 0) run.locals[second] = map.get(key)!;
    if (!visit(run)) return;
  }
}

function foldStruct(run: Run, struct: StructValue, first: number, second: number, visit: Visit): void {
  for (const key of struct.keys!()) {
    run.locals[first] = key;
    if (second >= 0) run.locals[second] = struct.get(key);
    if (!visit(run)) return;
  }
}

function finished(value: Value): Value {
  if (value instanceof GrowingList) return new ArrayList(value.items());
  return value instanceof GrowingMap ? value.finished() : value;
}
