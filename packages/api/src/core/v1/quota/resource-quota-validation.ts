import { invalidError, PrintedValue, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { wasSentEmpty } from '@coxswain/schema';
import { immutableMessage, pathOf, Errors } from '../../../meta/checks.ts';
import { goStruct } from '../../../meta/go-struct.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import {
  subdomainName,
  validateMeta,
  validateObjectMetaUpdate,
} from '../../../meta/object-meta-validation.ts';
import type { ResourceQuotaStatus } from '../resource-quota-status.ts';
import type { ResourceQuotaSpec } from '../resource-quota-spec.ts';
import { ScopeSelector } from '../scope-selector.ts';
import type { ResourceList } from '../resource-list.ts';
import {
  isStandardResource,
  validateResourceName,
  validateResourceQuantity,
} from '../pod/resource-validation.ts';

type QuotaObject = StatusObject<ResourceQuotaSpec, ResourceQuotaStatus>;

const specPath = pathOf('spec');

export function validateQuota(quota: QuotaObject, old: QuotaObject | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(quota.metadata, old?.metadata, { namespaced: true, name: subdomainName }, errors);
  validateAmounts(quota.spec.hard, specPath.child('hard'), errors);
  validateScopes(quota.spec, errors);
  if (quota.spec.scopeSelector != null) validateScopeSelector(quota.spec, errors);
  if (old === undefined) {
    validateAmounts(quota.status?.hard, pathOf('status', 'hard'), errors);
    validateAmounts(quota.status?.used, pathOf('status', 'used'), errors);
  } else if (!sameScopes(quota.spec.scopes, old.spec.scopes)) {
    const none = wasSentEmpty(quota.spec, 'scopes') ? [] : null;
    errors.invalid(specPath.child('scopes'), quota.spec.scopes ?? none, immutableMessage);
  }
  return errors;
}

export function validateQuotaStatus(quota: QuotaObject, old: QuotaObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(quota.metadata, old.metadata, errors);
  validateAmounts(quota.status.hard, pathOf('status', 'hard'), errors);
  validateAmounts(quota.status.used, pathOf('status', 'used'), errors);
  return errors;
}

function sameScopes(a: readonly string[] = [], b: readonly string[] = []): boolean {
  const [one, other] = [new Set(a), new Set(b)];
  return one.size === other.size && a.every((scope) => other.has(scope));
}

function validateAmounts(list: ResourceList | undefined, path: FieldPath, errors: Errors): void {
  for (const name of Object.keys(list ?? {}).sort()) {
    validateResourceName(name, path.key(name), errors);
    if (!name.includes('/') && !isQuotaResource(name)) {
      errors.invalid(path.key(name), name, 'must be a standard resource for quota');
    }
    validateResourceQuantity(name, list![name]!, path.key(name), errors);
  }
}

const isQuotaResource = (name: string): boolean => isStandardResource(name) && name !== 'storage';

const podCompute: readonly string[] = [
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
];

/** The resources that a scope can limit. */
const resourcesByScope: ReadonlyMap<string, readonly string[]> = new Map([
  ['Terminating', podCompute],
  ['NotTerminating', podCompute],
  ['NotBestEffort', podCompute],
  ['PriorityClass', podCompute],
  ['CrossNamespacePodAffinity', podCompute],
  ['BestEffort', ['pods']],
  ['VolumeAttributesClass', ['persistentvolumeclaims', 'requests.storage']],
]);

const isCounted = (scope: string, resource: string): boolean =>
  !isQuotaResource(resource) || (resourcesByScope.get(scope)?.includes(resource) ?? true);

function validateScopes(spec: ResourceQuotaSpec, errors: Errors): void {
  const scopes = spec.scopes ?? [];
  // Each error shows the whole list, so equal ones share an object.
  const made = new Map<string, FieldError>();
  const wrong = (detail: string): void => {
    const error = made.get(detail) ?? invalidError(specPath.child('scopes'), scopes, detail);
    made.set(detail, error);
    errors.push(error);
  };
  for (const scope of scopes) {
    if (!resourcesByScope.has(scope)) wrong('unsupported scope');
    for (const resource of Object.keys(spec.hard ?? {}).sort()) {
      if (!isCounted(scope, resource)) wrong('unsupported scope applied to resource');
    }
  }
  if (conflicts(scopes)) wrong('conflicting scopes');
}

const conflicts = (scopes: readonly string[]): boolean =>
  (scopes.includes('BestEffort') && scopes.includes('NotBestEffort')) ||
  (scopes.includes('Terminating') && scopes.includes('NotTerminating'));

function validateScopeSelector(spec: ResourceQuotaSpec, errors: Errors): void {
  const path = specPath.child('scopeSelector', 'matchExpressions');
  const requirements = spec.scopeSelector!.matchExpressions ?? [];
  for (const { scopeName, operator, values = [] } of requirements) {
    if (!resourcesByScope.has(scopeName)) {
      errors.invalid(path.child('scopeName'), scopeName ?? '', 'unsupported scope');
    }
    for (const resource of Object.keys(spec.hard ?? {}).sort()) {
      if (isCounted(scopeName, resource)) continue;
      errors.invalid(
        path,
        goStruct(ScopeSelector, spec.scopeSelector),
        'unsupported scope applied to resource',
      );
    }
    const onlyExists =
      !['PriorityClass', 'VolumeAttributesClass'].includes(scopeName) && resourcesByScope.has(scopeName);
    if (onlyExists && (operator as string) !== 'Exists') {
      errors.invalid(
        path.child('operator'),
        operator ?? '',
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      );
    }
    validateOperator(operator, values, path, errors);
  }
  if (conflicts(requirements.map(({ scopeName }) => scopeName))) {
    const scopes = spec.scopes ?? new PrintedValue('null');
    errors.invalid(path, scopes, 'conflicting scopes');
  }
}

function validateOperator(
  operator: string,
  values: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length > 0) return;
    errors.required(
      path.child('values'),
      "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    );
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length === 0) return;
    errors.invalid(
      path.child('values'),
      values,
      "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
    );
  } else {
    errors.invalid(path.child('operator'), operator ?? '', 'not a valid selector operator');
  }
}
