import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import {
  semanticDeepEqual,
  validateLabelSelector,
  checkPathSegment,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { selectorOf } from '../apps/workload-validation.ts';
import { check, pathOf, Errors } from '../meta/checks.ts';
import type { MetaObject } from '../meta/kind-object.ts';
import { goStruct } from '../meta/go-struct.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../meta/object-meta-validation.ts';
import type { LabelSelector } from '../meta/v1/label-selector.ts';
import { RoleRef } from './v1/role-ref.ts';
import type { PolicyRule } from './v1/policy-rule.ts';
import type { Subject } from './v1/subject.ts';

type Role = MetaObject & { rules?: PolicyRule[] | null };
type ClusterRole = Role & { aggregationRule?: { clusterRoleSelectors?: LabelSelector[] } | null };
type Binding = MetaObject & { subjects?: Subject[]; roleRef: RoleRef };

const roleName = (name: string): readonly string[] => checkPathSegment(name);
const group = 'rbac.authorization.k8s.io';

export function validateRole(role: Role, old: Role | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(role.metadata, { namespaced: true, name: roleName }, errors);
  validateRules(role.rules, true, errors);
  if (old !== undefined) validateObjectMetaUpdate(role.metadata, old.metadata, errors);
  return errors;
}

export function validateClusterRole(role: ClusterRole, old: ClusterRole | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(role.metadata, { namespaced: false, name: roleName }, errors);
  validateRules(role.rules, false, errors);
  if (role.aggregationRule != null) {
    const path = pathOf('aggregationRule', 'clusterRoleSelectors');
    const selectors = role.aggregationRule.clusterRoleSelectors ?? [];
    const stored = old?.aggregationRule?.clusterRoleSelectors ?? [];
    const allowInvalidValues = stored.some((selector) => validateLabelSelector(selector, path).length > 0);
    if (selectors.length === 0) {
      const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
      errors.required(path, detail);
    }
    for (const [index, selector] of selectors.entries()) {
      appendAll(errors, validateLabelSelector(selector, path.index(index), { allowInvalidValues }));
      if (selectorOf(selector) === undefined) {
        errors.invalid(path.index(index), null, 'invalid label selector.');
      }
    }
  }
  if (old !== undefined) validateObjectMetaUpdate(role.metadata, old.metadata, errors);
  return errors;
}

function validateRules(
  rules: readonly PolicyRule[] | null | undefined,
  namespaced: boolean,
  errors: Errors,
): void {
  for (const [index, rule] of (rules ?? []).entries()) {
    validateRule(rule, namespaced, pathOf('rules').index(index), errors);
  }
}

const count = (values: readonly unknown[] | null | undefined): number => values?.length ?? 0;

function validateRule(rule: PolicyRule, namespaced: boolean, path: FieldPath, errors: Errors): void {
  if (count(rule.verbs) === 0) {
    errors.required(path.child('verbs'), 'verbs must contain at least one value');
  }
  if (count(rule.nonResourceURLs) > 0) {
    const at = path.child('nonResourceURLs');
    if (namespaced) {
      const detail = 'namespaced rules cannot apply to non-resource URLs';
      errors.invalid(at, rule.nonResourceURLs, detail);
    }
    if (count(rule.apiGroups) + count(rule.resources) + count(rule.resourceNames) > 0) {
      const detail = 'rules cannot apply to both regular resources and non-resource URLs';
      errors.invalid(at, rule.nonResourceURLs, detail);
    }
    return;
  }
  if (count(rule.apiGroups) === 0) {
    errors.required(path.child('apiGroups'), 'resource rules must supply at least one api group');
  }
  if (count(rule.resources) === 0) {
    errors.required(path.child('resources'), 'resource rules must supply at least one resource');
  }
}

export const validateRoleBinding = bindingValidation(true, ['Role', 'ClusterRole']);
export const validateClusterRoleBinding = bindingValidation(false, ['ClusterRole']);

function bindingValidation(
  namespaced: boolean,
  kinds: readonly string[],
): (binding: Binding, old: Binding | undefined) => FieldError[] {
  return function validateBinding(binding, old) {
    const errors = new Errors();
    validateObjectMeta(binding.metadata, { namespaced, name: roleName }, errors);
    const path = pathOf('roleRef');
    const { roleRef } = binding;
    if (roleRef.apiGroup !== group) {
      errors.notSupported(path.child('apiGroup'), roleRef.apiGroup ?? '', [group]);
    }
    if (!kinds.includes(roleRef.kind)) {
      errors.notSupported(path.child('kind'), roleRef.kind ?? '', kinds);
    }
    if (!roleRef.name) errors.required(path.child('name'));
    else check(roleRef.name, path.child('name'), checkPathSegment, errors);
    for (const [index, subject] of (binding.subjects ?? []).entries()) {
      validateSubject(subject, namespaced, pathOf('subjects').index(index), errors);
    }
    if (old === undefined) return errors;
    validateObjectMetaUpdate(binding.metadata, old.metadata, errors);
    if (!semanticDeepEqual(roleRef, old.roleRef)) {
      errors.invalid(path, goStruct(RoleRef, roleRef), 'cannot change roleRef');
    }
    return errors;
  };
}

function validateSubject(subject: Subject, namespaced: boolean, path: FieldPath, errors: Errors): void {
  const { kind = '', name, apiGroup = '', namespace } = subject;
  if (!name) errors.required(path.child('name'));
  if (kind === 'ServiceAccount') {
    if (name) check(name, path.child('name'), (text) => subdomainName(text, false), errors);
    if (apiGroup !== '') errors.notSupported(path.child('apiGroup'), apiGroup, ['']);
    if (!namespaced && !namespace) errors.required(path.child('namespace'));
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== group) errors.notSupported(path.child('apiGroup'), apiGroup, [group]);
  } else {
    errors.notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']);
  }
}
