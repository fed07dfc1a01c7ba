/** Validates the rules of webhooks and policies that select requests. */

import { checkPathSegment, checkQualifiedName, type FieldPath } from '@coxswain/apimachinery';
import { check, type Errors } from '../meta/checks.ts';
import { expressionErrors, PolicyExpressions, resultTypes } from './expression-compilation.ts';
import type { MatchCondition } from './v1/match-condition.ts';
import type { NamedRuleWithOperations } from './v1/match-resources.ts';
import type { RuleWithOperations } from './v1/rule-with-operations.ts';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];
const conditionsMax = 64;

export function validateRule(rule: RuleWithOperations, path: FieldPath, errors: Errors): void {
  validateList(rule.operations, 'operations', 'operations', path, errors);
  for (const [index, operation] of (rule.operations ?? []).entries()) {
    if (operations.includes(operation)) continue;
    errors.notSupported(path.child('operations').index(index), operation, operations);
  }
  validateList(rule.apiGroups, 'apiGroups', 'API groups', path, errors);
  validateList(rule.apiVersions, 'apiVersions', 'API versions', path, errors);
  for (const [index, version] of (rule.apiVersions ?? []).entries()) {
    if (version === '') errors.required(path.child('apiVersions').index(index));
  }
  validateResources(rule.resources ?? [], path.child('resources'), errors);
  if (rule.scope != null && !scopes.includes(rule.scope)) {
    errors.notSupported(path.child('scope'), rule.scope, scopes);
  }
}

function validateList(
  values: readonly string[] | undefined,
  name: string,
  what: string,
  path: FieldPath,
  errors: Errors,
): void {
  if (values === undefined || values.length === 0) errors.required(path.child(name));
  else if (values.length > 1 && values.includes('*')) {
    errors.invalid(path.child(name), values, `if '*' is present, must not specify other ${what}`);
  }
}

function validateResources(resources: readonly string[], path: FieldPath, errors: Errors): void {
  if (resources.length === 0) errors.required(path);
  const withAnySubresource = new Set<string>();
  const ofAnyResource = new Set<string>();
  let isLastPlain = false;
  for (const [index, text] of resources.entries()) {
    const at = path.index(index);
    if (text === '') {
      errors.required(at);
      continue;
    }
    const slash = text.indexOf('/');
    if (slash < 0) {
      isLastPlain = text !== '*';
      continue;
    }
    const resource = text.slice(0, slash);
    const subresource = text.slice(slash + 1);
    if (withAnySubresource.has(resource)) {
      errors.invalid(at, text, `if '${resource}/*' is present, must not specify ${text}`);
    }
    if (ofAnyResource.has(subresource)) {
      errors.invalid(at, text, `if '*/${subresource}' is present, must not specify ${text}`);
    }
    if (subresource === '*') withAnySubresource.add(resource);
    if (resource === '*') ofAnyResource.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.invalid(path, resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && isLastPlain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.invalid(path, resources, detail);
  }
}

export function validateNamedRule(rule: NamedRuleWithOperations, path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  for (const [index, name] of (rule.resourceNames ?? []).entries()) {
    const at = path.child('resourceNames').index(index);
    check(name, at, checkPathSegment, errors);
    if (names.has(name)) errors.duplicate(at, name);
    names.add(name);
  }
  validateRule(rule, path, errors);
}

/** `params` says whether the variable exists. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[] | undefined,
  params: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  if (conditions === undefined) return;
  if (conditions.length > conditionsMax) errors.tooMany(path, conditions.length, conditionsMax);
  const names = new Set<string>();
  const expressions = new PolicyExpressions(false);
  const scope = { params, authorizer: true };
  for (const [index, { name = '', expression = '' }] of conditions.entries()) {
    const at = path.index(index);
    const text = expression.trim();
    const expressionPath = at.child('expression');
    if (text === '') errors.required(expressionPath);
    else {
      const compiled = expressions.compile(text, scope, resultTypes.condition);
      errors.push(...expressionErrors(compiled, expressionPath, text));
    }
    if (name === '') errors.required(at.child('name'));
    else check(name, at.child('name'), checkQualifiedName, errors);
    if (name !== '' && names.has(name)) errors.duplicate(at.child('name'), name);
    names.add(name);
  }
}
