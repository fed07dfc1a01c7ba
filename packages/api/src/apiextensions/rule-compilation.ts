/** Compiles the CEL rules at one place of a schema, and estimates their maximum cost. */

import {
  baseEnvironment,
  earlierEnvironment,
  declaredTypeOfSchema,
  formatType,
  optionalType,
  ProgramError,
  sizeHintsOf,
  type Ast,
  type DeclaredType,
  type Environment,
  type Program,
  type SchemaProps,
} from '@coxswain/cel';
import { resolveField } from './field-reference.ts';
import type { Schema } from './schema-tree.ts';
import type { ValidationRule } from './v1/validation-rule.ts';

/** The size of a request, from which the maximum number of evaluations in lists and maps is estimated. */
const requestBytesMax = 3 * 1024 * 1024;
/** The cost limit of one evaluation. */
const evaluationCostMax = 1_000_000;

export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program?: Program;
  /** The problem of the rule in upstream's words. */
  readonly problem?: string;
  readonly usesOldSelf: boolean;
  readonly costMax: number;
  /** The maximum number of its values in one request. */
  readonly countMax: number;
  readonly message?: Program;
  readonly messageProblem?: string;
  /** The problem of the rule without the newest library, if any. Absent if the rule doesn't use that library. */
  readonly earlierProblem?: () => string | undefined;
  readonly messageCostMax: number;
  /** Relative to the value of the rule. */
  readonly fieldPath: string;
}

export const selfTypeOf = (schema: Schema, isResourceRoot: boolean): DeclaredType | undefined =>
  declaredTypeOfSchema(schema as SchemaProps, { name: 'selfType', isResourceRoot });

export function compileRules(
  schema: Schema,
  rules: readonly ValidationRule[],
  self: DeclaredType,
): readonly CompiledRule[] {
  if (rules.length === 0) return [];
  const plain = baseEnvironment.extend({ variables: { self, oldSelf: self } });
  const optional = rules.some(({ optionalOldSelf }) => optionalOldSelf)
    ? baseEnvironment.extend({ variables: { self, oldSelf: optionalType(self.type) } })
    : plain;
  return rules.map((rule) => {
    const environment = rule.optionalOldSelf ? optional : plain;
    const compiled = compileRule(schema, rule, environment, self);
    const earlier = earlierEnvironment(environment, rule.rule ?? '');
    if (earlier === undefined) return compiled;
    return { ...compiled, earlierProblem: () => compileRule(schema, rule, earlier, self).problem };
  });
}

function compileRule(
  schema: Schema,
  rule: ValidationRule,
  environment: Environment,
  self: DeclaredType,
): CompiledRule {
  const text = rule.rule ?? '';
  const none = { rule, usesOldSelf: false, costMax: 0, countMax: 0, messageCostMax: 0, fieldPath: '' };
  if (text.trim() === '') return none;
  const { ast, issuesText } = environment.compile(text);
  if (ast === undefined) return { ...none, problem: `compilation failed: ${issuesText}` };
  if (formatType(ast.outputType) !== 'bool') {
    return { ...none, problem: 'cel expression must evaluate to a bool' };
  }
  const usesOldSelf = ast.references.some((reference) => reference?.name === 'oldSelf');
  const program = programOf(environment, ast);
  if (typeof program === 'string') {
    return { ...none, usesOldSelf, problem: `program instantiation failed: ${program}` };
  }
  const field = rule.fieldPath ? resolveField(rule.fieldPath, schema) : '';
  return {
    ...none,
    program,
    usesOldSelf,
    costMax: environment.estimateCost(ast, sizeHintsOf(self)).max,
    countMax: Math.floor(requestBytesMax / (self.serializedSizeMin + 1)),
    ...compileMessage(rule.messageExpression ?? '', environment, self),
    fieldPath: typeof field === 'string' ? '' : field.path,
  };
}

type Message = Pick<CompiledRule, 'message' | 'messageProblem' | 'messageCostMax'>;

function compileMessage(text: string, environment: Environment, self: DeclaredType): Message {
  if (text === '') return { messageCostMax: 0 };
  const failed = (messageProblem: string): Message => ({ messageProblem, messageCostMax: 0 });
  const { ast, issuesText } = environment.compile(text);
  if (ast === undefined) return failed(`messageExpression compilation failed: ${issuesText}`);
  if (formatType(ast.outputType) !== 'string') return failed('messageExpression must evaluate to a string');
  const message = programOf(environment, ast);
  if (typeof message === 'string') return failed(`messageExpression instantiation failed: ${message}`);
  return { message, messageCostMax: environment.estimateCost(ast, sizeHintsOf(self)).max };
}

/** A text is the reason that there is none. */
function programOf(environment: Environment, ast: Ast): Program | string {
  try {
    return environment.program(ast, { costLimit: evaluationCostMax });
  } catch (failure) {
    if (failure instanceof ProgramError) return failure.message;
    throw failure;
  }
}
