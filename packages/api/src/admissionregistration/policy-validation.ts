/** Validates validating and mutating admission policies. */

import {
  apiVersionProblem,
  byteLength,
  checkDns1035Label,
  checkDnsSubdomain,
  checkQualifiedName,
  parseApiVersion,
  semanticDeepEqual,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateObjectMeta } from '../meta/object-meta-validation.ts';
import { expressionErrors, PolicyExpressions, resultTypes } from './expression-compilation.ts';
import { validateMatchResources, validateMutable } from './match-resources-validation.ts';
import { validateMatchConditions } from './rule-validation.ts';
import type { MutatingAdmissionPolicySpec, Mutation } from './v1/mutating-admission-policy-spec.ts';
import type { ParamKind } from './v1/param-kind.ts';
import type { ValidatingAdmissionPolicySpec, Validation } from './v1/validating-admission-policy-spec.ts';

type Policy = SpecObject<ValidatingAdmissionPolicySpec>;
type MutatingPolicy = SpecObject<MutatingAdmissionPolicySpec>;
/** What both kinds of policies have. */
type PolicySpec = Policy['spec'] | MutatingPolicy['spec'];

const specPath = pathOf('spec');
const rules = { namespaced: false, name: subdomainName, coreFinalizers: false };
const failurePolicies = ['Fail', 'Ignore'];
const annotationsMax = 20;
const valueExpressionLengthMax = 5 * 1024;
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

export function validatePolicy({ metadata, spec }: Policy, old: Policy | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, rules, errors);
  validatePolicyBasics(spec, old?.spec, false, errors);
  const expressions = new PolicyExpressions((spec.variables ?? []).length > 0);
  validateVariables(spec, expressions, errors);
  const params = spec.paramKind != null;
  const validations = spec.validations ?? [];
  const annotations = spec.auditAnnotations ?? [];
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    errors.required(specPath.child('validations'), detail);
    errors.required(specPath.child('auditAnnotations'), detail);
  }
  for (const [index, validation] of validations.entries()) {
    const at = specPath.child('validations').index(index);
    validateValidation(validation, expressions, params, at, errors);
  }
  validateAnnotations(annotations, metadata.name ?? '', expressions, params, errors);
  return errors;
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reservedWords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function validateVariables(spec: PolicySpec, expressions: PolicyExpressions, errors: Errors): void {
  const scope = { params: spec.paramKind != null, authorizer: true };
  for (const [index, { name = '', expression = '' }] of (spec.variables ?? []).entries()) {
    const at = specPath.child('variables').index(index);
    if (name.trim() === '') errors.required(at.child('name'), 'name is not specified');
    else if (!identifier.test(name) || reservedWords.has(name)) {
      errors.invalid(at.child('name'), name, 'must be a valid CEL identifier');
    }
    const expressionPath = at.child('expression');
    if (expression.trim() === '') {
      errors.required(expressionPath, 'expression is not specified');
    } else {
      const compiled = expressions.addVariable(name, expression, scope);
      errors.push(...expressionErrors(compiled, expressionPath, expression));
    }
  }
}

/** Common to validating and mutating policies. */
function validatePolicyBasics(
  spec: PolicySpec,
  old: PolicySpec | undefined,
  mutates: boolean,
  errors: Errors,
): void {
  const path = specPath.child('failurePolicy');
  if (spec.failurePolicy == null) errors.required(path);
  else if (!failurePolicies.includes(spec.failurePolicy)) {
    errors.notSupported(path, spec.failurePolicy, failurePolicies);
  }
  if (spec.paramKind != null) validateParamKind(spec.paramKind, specPath.child('paramKind'), errors);
  const constraints = specPath.child('matchConstraints');
  if (spec.matchConstraints == null) errors.required(constraints);
  else {
    validateMatchResources(spec.matchConstraints, constraints, errors);
    if ((spec.matchConstraints.resourceRules ?? []).length === 0) {
      errors.required(constraints.child('resourceRules'));
    }
    if (mutates) validateMutable(spec.matchConstraints, constraints, errors);
  }
  const isKept =
    old !== undefined &&
    semanticDeepEqual(spec.paramKind, old.paramKind) &&
    semanticDeepEqual(spec.matchConditions, old.matchConditions);
  if (!isKept) {
    const params = spec.paramKind != null;
    validateMatchConditions(spec.matchConditions, params, specPath.child('matchConditions'), errors);
  }
}

function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, path: FieldPath, errors: Errors): void {
  const at = path.child('apiVersion');
  const joined = (value: string, messages: readonly string[]): void => {
    if (messages.length > 0) errors.invalid(at, value, messages.join(','));
  };
  const problem = apiVersionProblem(apiVersion);
  if (apiVersion === '') errors.required(at);
  else if (problem !== undefined) errors.invalid(at, apiVersion, problem);
  else {
    const { group, version } = parseApiVersion(apiVersion);
    if (group !== '') joined(group, checkDnsSubdomain(group));
    if (version === '') errors.invalid(at, apiVersion, 'version must be specified');
    else joined(version, checkDns1035Label(version));
  }
  const messages = checkDns1035Label(kind.toLowerCase());
  if (kind === '') errors.required(path.child('kind'));
  else if (messages.length > 0) {
    const detail = `may have mixed case, but should otherwise match: ${messages.join(',')}`;
    errors.invalid(path.child('kind'), kind, detail);
  }
}

function validateValidation(
  validation: Validation,
  expressions: PolicyExpressions,
  params: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const { expression = '', message = '', messageExpression = '', reason } = validation;
  const notEmpty = 'must be non-empty if specified';
  const expressionPath = path.child('expression');
  const messagePath = path.child('messageExpression');
  if (expression.trim() === '') {
    errors.required(expressionPath, 'expression is not specified');
  } else {
    const scope = { params, authorizer: true };
    const compiled = expressions.compile(expression, scope, resultTypes.condition);
    errors.push(...expressionErrors(compiled, expressionPath, expression));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.invalid(messagePath, messageExpression, notEmpty);
  } else if (messageExpression !== '') {
    const scope = { params, authorizer: false };
    const compiled = expressions.compile(messageExpression, scope, resultTypes.message);
    errors.push(...expressionErrors(compiled, messagePath, messageExpression));
  }
  const trimmed = message.trim();
  if (message !== '' && trimmed === '') errors.invalid(path.child('message'), message, notEmpty);
  else if (/[\n\r]/.test(trimmed)) {
    errors.invalid(path.child('message'), message, 'must not contain line breaks');
  }
  if (reason != null && !reasons.includes(reason)) {
    errors.notSupported(path.child('reason'), reason, reasons);
  }
}

function validateAnnotations(
  annotations: readonly { key?: string; valueExpression?: string }[],
  policyName: string,
  expressions: PolicyExpressions,
  params: boolean,
  errors: Errors,
): void {
  const path = specPath.child('auditAnnotations');
  if (annotations.length > annotationsMax) {
    const detail = `must not have more than ${annotationsMax} auditAnnotations`;
    const printed = annotations.map(({ key = '', valueExpression = '' }) => ({
      Key: key,
      ValueExpression: valueExpression,
    }));
    errors.invalid(path, printed, detail);
  }
  const keys = new Set<string>();
  for (const [index, { key = '', valueExpression = '' }] of annotations.entries()) {
    const at = path.index(index);
    if (policyName !== '') check(`${policyName}/${key}`, at.child('key'), checkQualifiedName, errors);
    else errors.invalid(at.child('key'), key, 'requires metadata.name be non-empty');
    const text = valueExpression.trim();
    const valuePath = at.child('valueExpression');
    if (text === '') errors.required(valuePath, 'valueExpression is not specified');
    else if (byteLength(text) > valueExpressionLengthMax) {
      const detail = `must not exceed ${valueExpressionLengthMax} bytes in length`;
      errors.required(valuePath, detail);
    } else {
      const scope = { params, authorizer: true };
      const compiled = expressions.compile(text, scope, resultTypes.annotation);
      errors.push(...expressionErrors(compiled, valuePath, valueExpression));
    }
    if (keys.has(key)) errors.duplicate(at.child('key'), key);
    keys.add(key);
  }
}

export function validateMutatingPolicy(
  { metadata, spec }: MutatingPolicy,
  old: MutatingPolicy | undefined,
): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, rules, errors);
  validatePolicyBasics(spec, old?.spec, true, errors);
  const expressions = new PolicyExpressions(true);
  validateVariables(spec, expressions, errors);
  const params = spec.paramKind != null;
  const mutations = spec.mutations ?? [];
  if (mutations.length === 0) {
    errors.required(specPath.child('mutations'), 'mutations must contain at least one item');
  }
  for (const [index, mutation] of mutations.entries()) {
    validateMutation(mutation, expressions, params, specPath.child('mutations').index(index), errors);
  }
  const path = specPath.child('reinvocationPolicy');
  const policies = ['IfNeeded', 'Never'];
  if (!spec.reinvocationPolicy) errors.required(path);
  else if (!policies.includes(spec.reinvocationPolicy)) {
    errors.notSupported(path, spec.reinvocationPolicy, policies);
  }
  return errors;
}

const patchMembers = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

function validateMutation(
  mutation: Mutation,
  expressions: PolicyExpressions,
  params: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const type = mutation.patchType;
  if (!type) errors.required(path.child('patchType'));
  else if (type !== 'ApplyConfiguration' && type !== 'JSONPatch') {
    errors.notSupported(path.child('patchType'), type, Object.keys(patchMembers));
  } else {
    const member = patchMembers[type];
    const other = member === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
    const patch = mutation[member];
    if (patch == null) {
      errors.required(path.child(member), `must be specified when patchType is ${type}`);
    } else {
      const at = path.child(member, 'expression');
      const text = (patch.expression ?? '').trim();
      const scope = { params, authorizer: true, patches: true };
      if (text === '') errors.required(at);
      else errors.push(...expressionErrors(expressions.compile(text, scope, resultTypes[member]), at, text));
    }
    if (mutation[other] == null) return;
    const detail = `must not be specified when patchType is ${type}`;
    errors.invalid(path.child(other), `{${other}}`, detail);
  }
}
