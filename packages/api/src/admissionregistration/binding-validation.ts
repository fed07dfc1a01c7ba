/** Validates bindings of policies: their requests, their parameters, and the consequences of a violation. */

import {
  checkDnsSubdomain,
  checkPathSegment,
  validateLabelSelector,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateObjectMeta } from '../meta/object-meta-validation.ts';
import { validateMatchResources, validateMutable } from './match-resources-validation.ts';
import type { ParamRef } from './v1/param-ref.ts';
import type { ValidatingAdmissionPolicyBindingSpec } from './v1/validating-admission-policy-binding-spec.ts';

/** Bindings of mutating policies have the same spec without actions. */
type Binding = SpecObject<ValidatingAdmissionPolicyBindingSpec>;

const specPath = pathOf('spec');
const rules = { namespaced: false, name: subdomainName, coreFinalizers: false };

const actions = ['Audit', 'Deny', 'Warn'];

export function validateBinding(binding: Binding): FieldError[] {
  const errors = validateBindingBasics(binding);
  const given = binding.spec.validationActions ?? [];
  const path = specPath.child('validationActions');
  if (given.length === 0) {
    errors.required(path, 'at least one validation action is required');
  }
  const seen = new Set<string>();
  for (const [index, action] of given.entries()) {
    if (!actions.includes(action)) errors.notSupported(path.index(index), action, actions);
    if (seen.has(action)) errors.duplicate(path.index(index), action);
    seen.add(action);
  }
  if (seen.has('Deny') && seen.has('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    errors.invalid(path, given, detail);
  }
  return errors;
}

export function validateMutatingBinding(binding: Binding): FieldError[] {
  const errors = validateBindingBasics(binding);
  const { matchResources } = binding.spec;
  if (matchResources != null) validateMutable(matchResources, specPath.child('matchResources'), errors);
  return errors;
}

function validateBindingBasics({ metadata, spec }: Binding): Errors {
  const errors = new Errors();
  validateObjectMeta(metadata, rules, errors);
  const path = specPath.child('policyName');
  if (!spec.policyName) errors.required(path);
  else check(spec.policyName, path, checkDnsSubdomain, errors);
  if (spec.paramRef != null) validateParamRef(spec.paramRef, specPath.child('paramRef'), errors);
  if (spec.matchResources != null) {
    validateMatchResources(spec.matchResources, specPath.child('matchResources'), errors);
  }
  return errors;
}

function validateParamRef(ref: ParamRef, path: FieldPath, errors: Errors): void {
  const { name = '', selector, parameterNotFoundAction: action } = ref;
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    check(name, path.child('name'), checkPathSegment, errors);
    if (selector != null) errors.forbidden(path.child('name'), exclusive);
  }
  if (selector != null) {
    errors.push(...validateLabelSelector(selector, path.child('selector')));
    if (name !== '') errors.forbidden(path.child('selector'), exclusive);
  }
  if (name === '' && selector == null) {
    errors.required(path, 'one of name or selector must be specified');
  }
  const at = path.child('parameterNotFoundAction');
  if (!action) errors.required(at);
  else if (action !== 'Deny' && action !== 'Allow') {
    errors.notSupported(at, action, ['Deny', 'Allow']);
  }
}
