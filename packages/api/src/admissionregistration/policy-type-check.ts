/** Checks a policy's expressions against the types of the objects that it matches. */
import {
  admissionRequestType,
  authorizerType,
  baseEnvironment,
  declaredDyn,
  declaredObject,
  dynType,
  namespaceType,
  type DeclaredType,
  type Environment,
} from '@coxswain/cel';
import { declaredOf, variablesTypeName } from './expression-compilation.ts';

/** The relevant part of a policy. */
export interface CheckedPolicy {
  readonly paramKind?: unknown;
  readonly variables?: readonly { readonly name?: string; readonly expression?: string }[] | null;
  readonly validations?:
    | readonly { readonly expression?: string; readonly messageExpression?: string }[]
    | null;
}

/** A kind that the policy matches. */
export interface CheckedKind {
  /** `apps/v1, Kind=Deployment`; of the core group `/v1, Kind=Pod`. */
  readonly text: string;
  readonly type: DeclaredType;
}

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** @param params undefined if the type of the parameters is unknown */
export function expressionWarnings(
  policy: CheckedPolicy,
  kinds: readonly CheckedKind[],
  params: DeclaredType | undefined,
): readonly ExpressionWarning[] {
  const environments = kinds.map(({ type, text }) => ({
    text,
    environment: environmentOf(policy, type, params),
  }));
  const check = (fieldRef: string, expression: string): readonly ExpressionWarning[] => {
    const found = environments.flatMap(({ text, environment }) => {
      const { ast, issuesText } = environment.compile(expression);
      return ast === undefined ? [`${text}: ${issuesText}\n`] : [];
    });
    return found.length === 0 ? [] : [{ fieldRef, warning: found.join('\n') }];
  };
  return (policy.validations ?? []).flatMap(({ expression = '', messageExpression = '' }, index) => {
    const path = `spec.validations[${index}]`;
    return [
      ...check(`${path}.expression`, expression),
      ...(messageExpression === '' ? [] : check(`${path}.messageExpression`, messageExpression)),
    ];
  });
}

/** Variables have the type of their compiled expression, or dynamic if it doesn't compile. */
function environmentOf(
  { paramKind, variables }: CheckedPolicy,
  object: DeclaredType,
  params: DeclaredType | undefined,
): Environment {
  const environment = baseEnvironment.extend({
    variables: {
      namespaceObject: namespaceType,
      request: admissionRequestType,
      object,
      oldObject: object,
      ...(paramKind == null ? {} : { params: params ?? dynType }),
      authorizer: authorizerType,
    },
  });
  const known: Record<string, DeclaredType> = {};
  const withVariables = (): Environment =>
    environment.extend({ variables: { variables: declaredObject(variablesTypeName, known) } });
  for (const { name = '', expression = '' } of variables ?? []) {
    const { ast } = withVariables().compile(expression);
    known[name] = ast === undefined ? declaredDyn : declaredOf(ast.outputType);
  }
  return withVariables();
}
