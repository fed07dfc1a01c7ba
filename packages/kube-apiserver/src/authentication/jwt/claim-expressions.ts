/** Compiles expressions over a token's claims and over the resulting user. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  anyType,
  baseEnvironment,
  declaredDyn,
  declaredList,
  declaredMap,
  declaredObject,
  declaredString,
  formatType,
  isError,
  type Ast,
  type Environment,
  type Program,
  type Value,
} from '@coxswain/cel';

const strings = declaredList(declaredString);

const variables = {
  claims: declaredMap(declaredString, { ...declaredDyn, type: anyType }),
  user: declaredObject('kubernetes.UserInfo', {
    username: declaredString,
    uid: declaredString,
    groups: strings,
    extra: declaredMap(declaredString, strings),
  }),
};

export type ExpressionVariable = keyof typeof variables;

export interface CompiledExpression {
  readonly text: string;
  readonly ast: Ast;
  /** @throws Error that names the expression */
  evaluate(value: Value): Value;
}

/** Created with the first expression: most servers have none. */
const environments = new Map<ExpressionVariable, Environment>();

function environmentOf(variable: ExpressionVariable): Environment {
  let environment = environments.get(variable);
  if (environment === undefined) {
    environment = baseEnvironment.extend({ variables: { [variable]: variables[variable] } });
    environments.set(variable, environment);
  }
  return environment;
}

/** @param mustBeBool true for conditions; the type of a mapping is known only at evaluation */
export function compileExpression(
  text: string,
  variable: ExpressionVariable,
  mustBeBool: boolean,
): CompiledExpression | { readonly problem: string } {
  const environment = environmentOf(variable);
  const { ast, issuesText } = environment.compile(text);
  if (ast === undefined) return { problem: `compilation failed: ${issuesText}` };
  if (mustBeBool && formatType(ast.outputType) !== 'bool') return { problem: 'must evaluate to bool' };
  let program: Program;
  try {
    program = environment.program(ast, {});
  } catch (failure) {
    return { problem: `program instantiation failed: ${messageOf(failure)}` };
  }
  return {
    text,
    ast,
    evaluate(value) {
      const found = program.evaluate({ [variable]: value }).value;
      if (isError(found)) throw new Error(`expression '${text}' resulted in error: ${found.message}`);
      return found;
    },
  };
}
