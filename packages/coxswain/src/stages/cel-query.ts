/** Expressions of stages in CEL, as kwok has them: the object is `self`. */

import { baseEnvironment, dynType, isError, toJson, valueOf } from '@coxswain/cel';
import type { PathQuery } from './path-query.ts';

const environment = baseEnvironment.extend({ variables: { self: dynType } });

/**
 * Finds one value, or none where the evaluation fails, as it does for a field that the object has not.
 * @throws Error with what is wrong for an expression that is none
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
