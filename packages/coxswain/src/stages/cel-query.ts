/** CEL expressions in stages, as in kwok: `self` is the object. */

import { baseEnvironment, dynType, isError, toJson, valueOf } from '@coxswain/cel';
import type { PathQuery } from './path-query.ts';

const environment = baseEnvironment.extend({ variables: { self: dynType } });

/**
 * Returns one value, or none if the evaluation fails, as it does for a field that the object lacks.
 * @throws Error describing what is wrong with an invalid expression
 */
export function celQuery(text: string): PathQuery {
  const { ast, issuesText } = environment.compile(text);
  if (ast === undefined) throw new Error(`cannot compile the expression ${text}:\n${issuesText}`);
  const program = environment.program(ast);
  return (object) => {
    const { value } = program.evaluate({ self: valueOf(object) });
    return isError(value) ? [] : [toJson(value)];
  };
}
