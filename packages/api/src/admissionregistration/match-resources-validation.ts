/** Validates the requests that policies and their bindings match. */

import { validateLabelSelector, type FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import { validateNamedRule } from './rule-validation.ts';
import type { MatchResources } from './v1/match-resources.ts';

export function validateMatchResources(match: MatchResources, path: FieldPath, errors: Errors): void {
  const at = path.child('matchPolicy');
  if (match.matchPolicy == null) errors.required(at);
  else if (!['Equivalent', 'Exact'].includes(match.matchPolicy)) {
    errors.notSupported(at, match.matchPolicy, ['Equivalent', 'Exact']);
  }
  for (const name of ['namespaceSelector', 'objectSelector'] as const) {
    if (match[name] == null) errors.required(path.child(name));
    else errors.push(...validateLabelSelector(match[name], path.child(name)));
  }
  for (const name of ['resourceRules', 'excludeResourceRules'] as const) {
    for (const [index, rule] of (match[name] ?? []).entries()) {
      validateNamedRule(rule, path.child(name).index(index), errors);
    }
  }
}

/** Only objects that are written can be mutated. */
export function validateMutable(
  { resourceRules = [] }: MatchResources,
  path: FieldPath,
  errors: Errors,
): void {
  const operations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
  for (const operation of resourceRules.flatMap((rule) => rule.operations ?? [])) {
    if (operations.includes(operation)) continue;
    errors.notSupported(path.child('resourceRules', 'operations'), operation, operations);
  }
}
