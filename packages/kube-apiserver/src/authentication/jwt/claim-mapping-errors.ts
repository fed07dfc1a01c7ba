/** Validates claim mappings, in upstream's order and words. */
import { invalidError, requiredError, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { Errors } from '@coxswain/api/meta/checks.ts';
import { validateDomainPrefixedPath } from '@coxswain/api/meta/domain-prefixed-path.ts';
import type { RuleChecks } from './rule-checks.ts';
import type { StatedJwtAuthenticator, StatedPrefixedClaim } from './stated-configuration.ts';

type ClaimMappings = StatedJwtAuthenticator['claimMappings'];

const both = "claim and expression can't both be set";

export function claimMappingErrors(
  { username, groups, uid, extra }: ClaimMappings,
  path: FieldPath,
  rules: RuleChecks,
): FieldError[] {
  const errors = [
    ...prefixedErrors(username, path.child('username'), rules, 'username'),
    ...prefixedErrors(groups, path.child('groups'), rules),
    ...uidErrors(uid, path.child('uid'), rules),
    ...extraErrors(extra ?? [], path.child('extra'), rules),
  ];
  if (rules.readsEmail && !rules.readsEmailVerified) {
    errors.push(
      invalidError(
        path.child('username', 'expression'),
        username.expression,
        'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
      ),
    );
  }
  return errors;
}

function prefixedErrors(
  { claim, prefix, expression }: StatedPrefixedClaim,
  path: FieldPath,
  rules: RuleChecks,
  role?: 'username',
): FieldError[] {
  if (expression !== '' && claim !== '') return [invalidError(path, '', both)];
  if (expression !== '') {
    return [
      ...(typeof prefix === 'string'
        ? [invalidError(path.child('prefix'), prefix, 'may not be specified when expression is set')]
        : []),
      ...rules.mappingErrors(expression, path.child('expression'), role),
    ];
  }
  if (claim === '') return role === undefined ? [] : [requiredError(path, 'claim or expression is required')];
  const missing =
    'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
  return typeof prefix === 'string' ? [] : [requiredError(path.child('prefix'), missing)];
}

function uidErrors({ claim, expression }: ClaimMappings['uid'], path: FieldPath, rules: RuleChecks) {
  if (claim !== '' && expression !== '') return [invalidError(path, '', both)];
  return expression === '' ? [] : rules.mappingErrors(expression, path.child('expression'));
}

const reservedDomain = /(^|\.)(kubernetes\.io|k8s\.io)$/;

function extraErrors(
  mappings: NonNullable<ClaimMappings['extra']>,
  parent: FieldPath,
  rules: RuleChecks,
): FieldError[] {
  const keys = new Set<string>();
  return mappings.flatMap(({ key, valueExpression }, index) => {
    const path = parent.index(index);
    const keyPath = path.child('key');
    const errors = new Errors();
    validateDomainPrefixedPath(key, keyPath, errors);
    if (key !== key.toLowerCase()) errors.invalid(keyPath, key, 'must be lowercase');
    const slash = key.indexOf('/');
    if (slash >= 0 && reservedDomain.test(key.slice(0, slash))) {
      const text = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';
      errors.invalid(keyPath, key, text);
    }
    const isRepeated = keys.has(key);
    keys.add(key);
    if (isRepeated) errors.duplicate(keyPath, key);
    else if (valueExpression === '') errors.required(path.child('valueExpression'));
    else errors.push(...rules.mappingErrors(valueExpression, path.child('valueExpression'), 'extra'));
    return errors;
  });
}
