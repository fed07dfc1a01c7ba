/** `has`, and the comprehensions over a list's elements or a map's keys. */

import type { Expression } from '../syntax/expression.ts';
import { MacroError, accumulatorName, type ExpressionMaker, type Macro } from '../syntax/macro.ts';

const receiver = (name: string, argumentCount: number, expand: Macro['expand']): Macro => ({
  name,
  argumentCount,
  isReceiver: true,
  expand,
});

export const standardMacros: readonly Macro[] = [
  { name: 'has', argumentCount: 1, isReceiver: false, expand: expandHas },
  receiver('all', 2, (maker, range, [variable, predicate]) =>
    foldAll(maker, range!, [quantifierVariable(variable!), ''], predicate!),
  ),
  receiver('exists', 2, (maker, range, [variable, predicate]) =>
    foldExists(maker, range!, [quantifierVariable(variable!), ''], predicate!),
  ),
  receiver('exists_one', 2, (maker, range, [variable, predicate]) =>
    foldExistsOne(maker, range!, [quantifierVariable(variable!), ''], predicate!),
  ),
  receiver('map', 2, (maker, range, [variable, transform]) =>
    foldList(maker, range!, [listVariable(variable!), ''], transform!, undefined),
  ),
  receiver('map', 3, (maker, range, [variable, filter, transform]) =>
    foldList(maker, range!, [listVariable(variable!), ''], transform!, filter),
  ),
  receiver('filter', 2, (maker, range, [variable, predicate]) =>
    foldList(maker, range!, [listVariable(variable!), ''], variable!, predicate),
  ),
];

function expandHas(
  maker: ExpressionMaker,
  _target: Expression | undefined,
  [argument]: readonly Expression[],
): Expression {
  if (argument!.kind !== 'select') throw new MacroError(argument!, 'invalid argument to has() macro');
  return maker.presenceTest(argument!.operand, argument!.field);
}

const quantifierVariable = (expression: Expression): string =>
  variableName(expression, 'argument must be a simple name');

const listVariable = (expression: Expression): string =>
  variableName(expression, 'argument is not an identifier');

function variableName(expression: Expression, message: string): string {
  if (expression.kind !== 'identifier') throw new MacroError(expression, message);
  requireNotAccumulator(expression, expression.name);
  return expression.name;
}

export function requireNotAccumulator(at: Expression, name: string): void {
  if (name !== accumulatorName && name !== '__result__') return;
  throw new MacroError(at, 'iteration variable overwrites accumulator variable');
}

type Variables = readonly [string, string];

export function foldAll(
  maker: ExpressionMaker,
  range: Expression,
  variables: Variables,
  predicate: Expression,
): Expression {
  return maker.comprehension(range, variables, accumulatorName, {
    initial: maker.literal(true),
    condition: maker.call('@not_strictly_false', maker.accumulator()),
    step: maker.call('_&&_', maker.accumulator(), predicate),
    result: maker.accumulator(),
  });
}

export function foldExists(
  maker: ExpressionMaker,
  range: Expression,
  variables: Variables,
  predicate: Expression,
): Expression {
  return maker.comprehension(range, variables, accumulatorName, {
    initial: maker.literal(false),
    condition: maker.call('@not_strictly_false', maker.call('!_', maker.accumulator())),
    step: maker.call('_||_', maker.accumulator(), predicate),
    result: maker.accumulator(),
  });
}

export function foldExistsOne(
  maker: ExpressionMaker,
  range: Expression,
  variables: Variables,
  predicate: Expression,
): Expression {
  const one = (): Expression => maker.literal(1);
  return maker.comprehension(range, variables, accumulatorName, {
    initial: maker.literal(0),
    condition: maker.literal(true),
    step: maker.call('_?_:_', predicate, maker.call('_+_', maker.accumulator(), one()), maker.accumulator()),
    result: maker.call('_==_', maker.accumulator(), one()),
  });
}

export function foldList(
  maker: ExpressionMaker,
  range: Expression,
  variables: Variables,
  transform: Expression,
  filter: Expression | undefined,
): Expression {
  const append = maker.call('_+_', maker.accumulator(), maker.list(transform));
  return maker.comprehension(range, variables, accumulatorName, {
    initial: maker.list(),
    condition: maker.literal(true),
    step: filter ? maker.call('_?_:_', filter, append, maker.accumulator()) : append,
    result: maker.accumulator(),
  });
}
