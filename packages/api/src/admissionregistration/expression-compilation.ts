/** Compiles expressions of webhooks and policies in their environments, and checks their result types. */

import {
  admissionRequestType,
  authorizerType,
  baseEnvironment,
  earlierEnvironment,
  newestLibrary,
  boolType,
  declaredDyn,
  declaredList,
  declaredMap,
  declaredObject,
  dynType,
  evaluationCostMax,
  isSameType,
  jsonPatchLibrary,
  listType,
  mutationTypes,
  namespaceType,
  nullType,
  ProgramError,
  resourceCheckType,
  stringType,
  structType,
  type CelType,
  type DeclaredType,
  type Environment,
  type Program,
} from '@coxswain/cel';
import { internalFieldError, invalidError, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { typeName } from '../meta/expression-type.ts';

export interface ExpressionScope {
  /** Whether the variable `params` exists. */
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Whether the expressions make patches, with objects of any shape and JSON patches. */
  readonly patches?: boolean;
}

/** The allowed result types, in upstream's order. */
export const resultTypes = {
  condition: [boolType],
  message: [stringType],
  annotation: [stringType, nullType],
  applyConfiguration: [structType('Object')],
  jsonPatch: [listType(structType('JSONPatch'))],
} as const satisfies Readonly<Record<string, readonly CelType[]>>;

/** Variables that only some expressions have. */
const authorizers = { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType };

/** The type of the variable `variables`. */
export const variablesTypeName = 'kubernetes.variables';

const keyOf = ({ params, authorizer, patches = false }: ExpressionScope): string =>
  `${params} ${authorizer} ${patches}`;

const known = new Map<string, Environment>();

/** The environment for compiling such expressions; created once per scope. */
export function environmentOf({ params, authorizer, patches = false }: ExpressionScope): Environment {
  const key = keyOf({ params, authorizer, patches });
  const found = known.get(key);
  if (found !== undefined) return found;
  const environment = baseEnvironment.extend({
    variables: {
      object: dynType,
      oldObject: dynType,
      namespaceObject: namespaceType,
      request: admissionRequestType,
      ...(params ? { params: dynType } : {}),
      ...(authorizer ? authorizers : {}),
    },
    ...(patches ? { provider: mutationTypes, libraries: [jsonPatchLibrary] } : {}),
  });
  known.set(key, environment);
  return environment;
}

/** A program and its result type, or the problem of the text in upstream's words. */
export type CompiledExpression = (
  | { readonly program: Program; readonly type: CelType }
  | { readonly problem: string; readonly isInternal?: true }
) & {
  /** The problem of the text without the newest library, if any. Absent if the text doesn't use that library. */
  readonly earlierProblem?: () => string | undefined;
};

/** The expressions of one policy, of which later ones can use earlier variables. */
export class PolicyExpressions {
  readonly #variables = new Map<string, DeclaredType>();
  readonly #hasVariables: boolean;
  readonly #environments = new Map<string, Environment>();

  /** A policy without variables doesn't have the name `variables`. */
  constructor(hasVariables: boolean) {
    this.#hasVariables = hasVariables;
  }

  /** Any type is allowed; a variable that doesn't compile is dynamic to its users. */
  addVariable(name: string, text: string, scope: ExpressionScope): CompiledExpression {
    const compiled = this.compile(text, scope, undefined);
    this.#variables.set(name, 'problem' in compiled ? declaredDyn : declaredOf(compiled.type));
    this.#environments.clear();
    return compiled;
  }

  /** @param types the allowed result types; any when undefined */
  compile(text: string, scope: ExpressionScope, types: readonly CelType[] | undefined): CompiledExpression {
    const environment = this.#environment(scope);
    const earlier = earlierEnvironment(environment, text);
    return {
      ...compiledIn(environment, text, types),
      ...(earlier && { earlierProblem: () => problemOf(compiledIn(earlier, text, types)) }),
    };
  }

  #environment(scope: ExpressionScope): Environment {
    const environment = environmentOf(scope);
    if (!this.#hasVariables) return environment;
    const key = keyOf(scope);
    let found = this.#environments.get(key);
    if (found === undefined) {
      const variables = declaredObject(variablesTypeName, Object.fromEntries(this.#variables));
      found = environment.extend({ variables: { variables } });
      this.#environments.set(key, found);
    }
    return found;
  }
}

const problemOf = (compiled: CompiledExpression): string | undefined =>
  'problem' in compiled ? compiled.problem : undefined;

function compiledIn(
  environment: Environment,
  text: string,
  types: readonly CelType[] | undefined,
): CompiledExpression {
  const { ast, issuesText } = environment.compile(text);
  if (ast === undefined) return { problem: `compilation failed: ${issuesText}` };
  const type = ast.outputType;
  if (types !== undefined && !types.some((wanted) => isSameType(type, wanted))) {
    return { problem: typeMessage(types, type) };
  }
  try {
    return { program: environment.program(ast, { costLimit: evaluationCostMax }), type };
  } catch (failure) {
    if (!(failure instanceof ProgramError)) throw failure;
    return { problem: `program instantiation failed: ${failure.message}`, isInternal: true };
  }
}

/** The validation errors of an expression; `shown` is how it is printed, if that isn't its text. */
export function expressionErrors(
  compiled: CompiledExpression,
  path: FieldPath,
  shown: string,
): readonly FieldError[] {
  const { earlierProblem } = compiled;
  const now = 'problem' in compiled ? [errorOf(compiled, path, shown)] : [];
  if (earlierProblem === undefined) return now;
  const before = earlierProblem();
  return [
    ...now.map((error) => ({ ...error, since: newestLibrary })),
    ...(before === undefined ? [] : [{ ...invalidError(path, shown, before), until: newestLibrary }]),
  ];
}

const errorOf = (
  { problem, isInternal }: { readonly problem: string; readonly isInternal?: true },
  path: FieldPath,
  shown: string,
): FieldError => (isInternal ? internalFieldError(path, problem) : invalidError(path, shown, problem));

function typeMessage(wanted: readonly CelType[], found: CelType): string {
  const names = wanted.map(typeName);
  const allowed = names.length === 1 ? names[0]! : `one of [${names.join(' ')}]`;
  return `must evaluate to ${allowed} but got ${typeName(found)}`;
}

const plainKinds: readonly string[] = [
  'any',
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
];

/** The part of a variable's type that upstream passes on: lists, maps and their elements. */
export function declaredOf(type: CelType): DeclaredType {
  const [first, second] = type.parameters;
  if (type.kind === 'list' && first !== undefined) return declaredList(declaredOf(first));
  if (type.kind === 'map' && first !== undefined && second !== undefined) {
    return declaredMap(declaredOf(first), declaredOf(second));
  }
  return plainKinds.includes(type.kind) ? { ...declaredDyn, type } : declaredDyn;
}
