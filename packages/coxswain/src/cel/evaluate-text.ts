/** Evaluates one expression as the API server would: type-checked, with its cost and, on request, every step. */
import {
  baseEnvironment,
  CelError,
  declaredTypeOfSchema,
  dynType,
  formatType,
  isError,
  noSizeHints,
  sizeHintsOf,
  sourceTexts,
  toJson,
  unbounded,
  valueOf,
  type Ast,
  type DeclaredType,
  type SchemaProps,
  type Value,
} from '@coxswain/cel';

export interface EvaluationOptions {
  readonly text: string;
  /** Decoded JSON by variable name. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The schema of `self` and `oldSelf`; if set, types are checked and the maximum cost is estimated. */
  readonly schema?: SchemaProps;
  /** Whether the schema is that of a whole object. */
  readonly isResourceRoot?: boolean;
  /** The cost limit for one evaluation. */
  readonly costLimit?: number;
  readonly traced?: boolean;
}

export interface EvaluationStep {
  readonly text: string;
  /** The result as JSON, or the error. */
  readonly result: Result;
  /** The accumulated cost at this point. */
  readonly cost: number;
}

export type Result = { readonly value: unknown } | { readonly error: string };

export interface EvaluatedText {
  readonly type: string;
  readonly result: Result;
  readonly cost: number;
  /** The maximum cost for any value that the schema allows; undefined if it is unbounded. */
  readonly estimatedCostMax: number | undefined;
  readonly steps: readonly EvaluationStep[];
}

/** The expression cannot be parsed, or its types don't match; the message lists the problems line by line. */
export class CompilationFailed extends Error {}

/** @throws CompilationFailed */
export function evaluateText(options: EvaluationOptions): EvaluatedText {
  const { text, variables, costLimit, traced = false } = options;
  const self = selfTypeOf(options);
  const types = Object.fromEntries(
    Object.keys(variables).map((name) => [name, declaredTypeOf(name, self) ?? dynType]),
  );
  const environment = baseEnvironment.extend({ variables: types });
  const { ast, issuesText } = environment.compile(text);
  if (ast === undefined) throw new CompilationFailed(issuesText);
  const steps: EvaluationStep[] = [];
  const program = environment.program(ast, {
    ...(costLimit === undefined ? {} : { costLimit }),
    ...(traced ? { observe: stepRecorder(ast, steps) } : {}),
  });
  const activation = Object.fromEntries(
    Object.entries(variables).map(([name, json]) => [name, valueOf(json, declaredTypeOf(name, self))]),
  );
  const { value, cost } = program.evaluate(activation);
  const hints = self === undefined ? noSizeHints : sizeHintsOf(self);
  const { max } = environment.estimateCost(ast, hints);
  return {
    type: formatType(ast.outputType),
    result: resultOf(value),
    cost,
    estimatedCostMax: self === undefined || max === unbounded ? undefined : Number(max),
    steps,
  };
}

function selfTypeOf({ schema, isResourceRoot = false }: EvaluationOptions): DeclaredType | undefined {
  if (schema === undefined) return undefined;
  const type = declaredTypeOfSchema(schema, { name: 'self', isResourceRoot });
  if (type === undefined) throw new CompilationFailed('the schema has no type that expressions can access\n');
  return type;
}

const declaredTypeOf = (name: string, self: DeclaredType | undefined): DeclaredType | undefined =>
  name === 'self' || name === 'oldSelf' ? self : undefined;

/** Constants, and what a macro adds to the written expression, do not count as steps. */
function stepRecorder(ast: Ast, steps: EvaluationStep[]) {
  const texts = sourceTexts(ast);
  return (id: number, value: Value, cost: number): void => {
    const text = texts.get(id);
    if (text !== undefined) steps.push({ text, result: resultOf(value), cost });
  };
}

const resultOf = (value: Value): Result =>
  isError(value) || value instanceof CelError ? { error: value.message } : { value: toJson(value) };
