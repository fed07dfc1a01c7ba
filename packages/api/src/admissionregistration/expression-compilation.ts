/** What expressions of webhooks and policies can see, and whether they compile to what is wanted of them. */

import {
  admissionRequestType,
  authorizerType,
  baseEnvironment,
  boolType,
  declaredDyn,
  declaredList,
  declaredMap,
  declaredObject,
  dynType,
  isSameType,
  jsonPatchLibrary,
  listType,
  namespaceType,
  nullType,
  ProgramError,
  resourceCheckType,
  stringType,
  structType,
} from '@coxswain/cel';
import type { CelType, DeclaredType, Environment } from '@coxswain/cel';
import { internalFieldError, invalidError } from '@coxswain/apimachinery';
import type { FieldError, FieldPath } from '@coxswain/apimachinery';
import { typeName } from '../meta/expression-type.ts';
import { patchTypes } from './patch-values.ts';

export interface ExpressionScope {
  /** Whether there are parameters. */
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Whether patches are made: with objects of any shape and JSON patches. */
  readonly patches?: boolean;
}

/** What an expression may evaluate to, as the original lists it. */
export const resultTypes = {
  condition: [boolType],
  message: [stringType],
  annotation: [stringType, nullType],
  applyConfiguration: [structType('Object')],
  jsonPatch: [listType(structType('JSONPatch'))],
} as const satisfies Readonly<Record<string, readonly CelType[]>>;

/** Variables that are not there for everybody. */
const authorizers = { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType };

const known = new Map<string, Environment>();

function environmentOf({ params, authorizer, patches = false }: ExpressionScope): Environment {
  const key = JSON.stringify([params, authorizer, patches]);
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
    ...(patches ? { provider: patchTypes, libraries: [jsonPatchLibrary] } : {}),
  });
  known.set(key, environment);
  return environment;
}

/** The expressions of one policy, whose later ones see the variables that come before them. */
export class PolicyExpressions {
  readonly #variables = new Map<string, DeclaredType>();
  readonly #hasVariables: boolean;

  /** Without variables of its own a policy doesn't know the word. */
  constructor(hasVariables: boolean) {
    this.#hasVariables = hasVariables;
  }

  /** Any type is good; one that does not compile is dynamic to those that use it. */
  addVariable(name: string, text: string, scope: ExpressionScope, path: FieldPath): FieldError | undefined {
    const { type, error } = this.#compile(text, scope, undefined, path, text);
    this.#variables.set(name, type === undefined ? declaredDyn : declaredOf(type));
    return error;
  }

  /** What is wrong with an expression; `shown` is how it is printed, where that is not its text. */
  check(
    text: string,
    scope: ExpressionScope,
    types: readonly CelType[],
    path: FieldPath,
    shown = text,
  ): FieldError | undefined {
    return this.#compile(text, scope, types, path, shown).error;
  }

  #compile(
    text: string,
    scope: ExpressionScope,
    types: readonly CelType[] | undefined,
    path: FieldPath,
    shown: string,
  ): { readonly type?: CelType; readonly error?: FieldError } {
    const environment = this.#environment(scope);
    const { ast, issuesText } = environment.compile(text);
    if (ast === undefined) return { error: invalidError(path, shown, `compilation failed: ${issuesText}`) };
    const type = ast.outputType;
    if (types !== undefined && !types.some((wanted) => isSameType(type, wanted))) {
      return { error: invalidError(path, shown, typeMessage(types, type)) };
    }
    try {
      environment.program(ast);
    } catch (failure) {
      if (!(failure instanceof ProgramError)) throw failure;
      return { error: internalFieldError(path, `program instantiation failed: ${failure.message}`) };
    }
    return { type };
  }

  #environment(scope: ExpressionScope): Environment {
    const environment = environmentOf(scope);
    if (!this.#hasVariables) return environment;
    const variables = declaredObject('kubernetes.variables', Object.fromEntries(this.#variables));
    return environment.extend({ variables: { variables } });
  }
}

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

/** Of a variable's type as much as the original passes on: lists, maps and what they are made of. */
function declaredOf(type: CelType): DeclaredType {
  const [first, second] = type.parameters;
  if (type.kind === 'list' && first !== undefined) return declaredList(declaredOf(first));
  if (type.kind === 'map' && first !== undefined && second !== undefined) {
    return declaredMap(declaredOf(first), declaredOf(second));
  }
  return plainKinds.includes(type.kind) ? { ...declaredDyn, type } : declaredDyn;
}
