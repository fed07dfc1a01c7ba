/** The match conditions of an authorization webhook: it is asked only if all expressions hold. */
import {
  baseEnvironment,
  declaredList,
  declaredMap,
  declaredObject,
  declaredString,
  formatType,
  isError,
  valueOf,
  type Ast,
  type Program,
} from '@coxswain/cel';
import { aggregateText } from '@coxswain/apimachinery';
import type { AccessReviewSpec } from './access-review.ts';

const strings = declaredList(declaredString);
const requirement = declaredObject('kubernetes.SelectorRequirement', {
  key: declaredString,
  operator: declaredString,
  values: strings,
});
const selectorType = (name: string) =>
  declaredObject(name, { rawSelector: declaredString, requirements: declaredList(requirement) });

const requestType = declaredObject('kubernetes.SubjectAccessReviewSpec', {
  resourceAttributes: declaredObject('kubernetes.ResourceAttributes', {
    namespace: declaredString,
    verb: declaredString,
    group: declaredString,
    version: declaredString,
    resource: declaredString,
    subresource: declaredString,
    name: declaredString,
    fieldSelector: selectorType('kubernetes.FieldSelectorAttributes'),
    labelSelector: selectorType('kubernetes.LabelSelectorAttributes'),
  }),
  nonResourceAttributes: declaredObject('kubernetes.NonResourceAttributes', {
    path: declaredString,
    verb: declaredString,
  }),
  user: declaredString,
  groups: strings,
  extra: declaredMap(declaredString, strings),
  uid: declaredString,
});

const environment = () => baseEnvironment.extend({ variables: { request: requestType } });
let prepared: ReturnType<typeof environment> | undefined;

/** @returns the problem of the expression in upstream's words */
export function conditionProblem(expression: string): string | undefined {
  const compiled = compile(expression);
  return 'problem' in compiled ? compiled.problem : undefined;
}

export type Matching = { readonly matches: boolean } | { readonly problem: string };

/** @throws Error for an expression that doesn't compile */
export function conditionMatcher(expressions: readonly string[]): (spec: AccessReviewSpec) => Matching {
  const programs = expressions.map((expression) => {
    const compiled = compile(expression);
    if ('problem' in compiled) throw new Error(compiled.problem);
    return { expression, program: compiled.program };
  });
  return (spec) => {
    if (programs.length === 0) return { matches: true };
    const request = valueOf(completed(spec), requestType);
    const problems: string[] = [];
    for (const { expression, program } of programs) {
      const { value } = program.evaluate({ request });
      if (value === false) return { matches: false };
      if (isError(value)) {
        problems.push(`cel evaluation error: expression '${expression}' resulted in error: ${value.message}`);
      }
    }
    return problems.length > 0 ? { problem: aggregateText(problems) } : { matches: true };
  };
}

function compile(expression: string): { readonly program: Program } | { readonly problem: string } {
  prepared ??= environment();
  const { ast, issuesText } = prepared.compile(expression);
  if (ast === undefined) return { problem: `compilation failed: ${issuesText}` };
  const type = formatType((ast as Ast).outputType);
  return type === 'bool'
    ? { program: prepared.program(ast, {}) }
    : { problem: `must evaluate to bool but got ${type}` };
}

/** Expressions see every member of the review's spec, even empty ones. */
function completed({ user = '', groups = [], uid = '', extra = {}, ...asked }: AccessReviewSpec): object {
  const { resourceAttributes: resource, nonResourceAttributes: other } = asked;
  const none = { namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' };
  return {
    user,
    groups,
    uid,
    extra,
    ...(resource && { resourceAttributes: { ...none, ...resource } }),
    ...(other && { nonResourceAttributes: { path: '', verb: '', ...other } }),
  };
}
