import {
  checkQualifiedName,
  compareQuantities,
  parseQuantity,
  quantityMilliValue,
  quantityOf,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, pathOf, Errors } from '../../../meta/checks.ts';
import type { SpecObject } from '../../../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../../../meta/object-meta-validation.ts';
import type { LimitRangeItem, LimitRangeSpec } from '../limit-range-spec.ts';
import { isOvercommitAllowed } from '../resource-list.ts';
import { containerResourceName, validateResourceName } from '../pod/resource-validation.ts';

type RangeObject = SpecObject<LimitRangeSpec>;

/** An update is validated as a new object. */
export function validateLimitRange(range: RangeObject, _old: RangeObject | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(range.metadata, undefined, { namespaced: true, name: subdomainName }, errors);
  const types = new Set<string>();
  for (const [index, item] of (range.spec.limits ?? []).entries()) {
    const path = pathOf('spec', 'limits').index(index);
    validateType(item.type, path, errors);
    if (types.has(item.type)) errors.duplicate(path.child('type'), item.type);
    types.add(item.type);
    validateItem(item, path, errors);
  }
  return errors;
}

const standardTypes: readonly string[] = ['Pod', 'Container', 'PersistentVolumeClaim'];

function validateType(type: string, path: FieldPath, errors: Errors): void {
  const errorsBefore = errors.length;
  check(type ?? '', path.child('type'), checkQualifiedName, errors);
  if (errors.length > errorsBefore || type.includes('/') || standardTypes.includes(type)) return;
  errors.invalid(path.child('type'), type, 'must be a standard limit type or fully qualified');
}

type ListName = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';

function validateItem(item: LimitRangeItem, path: FieldPath, errors: Errors): void {
  const validateName =
    item.type === 'Pod' || item.type === 'Container' ? containerResourceName : validateResourceName;
  const names = new Set<string>();
  const validateList = (list: ListName): void => {
    for (const name of Object.keys(item[list] ?? {}).sort()) {
      validateName(name, path.child(list).key(name), errors);
      names.add(name);
    }
  };
  validateList('max');
  validateList('min');
  if (item.type === 'Pod') {
    for (const list of ['default', 'defaultRequest'] as const) {
      if (Object.keys(item[list] ?? {}).length > 0) {
        errors.forbidden(path.child(list), "may not be specified when `type` is 'Pod'");
      }
    }
  } else {
    validateList('default');
    validateList('defaultRequest');
  }
  const hasStorage = item.min?.['storage'] !== undefined || item.max?.['storage'] !== undefined;
  if ((item.type as string) === 'PersistentVolumeClaim' && !hasStorage) {
    errors.required(
      path.child('limits'),
      'either minimum or maximum storage value is required, but neither was provided',
    );
  }
  validateList('maxLimitRequestRatio');
  for (const name of names) validateAmounts(name, item, path, errors);
}

const exceeds = (a: string, b: string): boolean => compareQuantities(parseQuantity(a), parseQuantity(b)) > 0;

function validateAmounts(name: string, item: LimitRangeItem, path: FieldPath, errors: Errors): void {
  const isPod = item.type === 'Pod';
  const min = item.min?.[name];
  const max = item.max?.[name];
  const limit = isPod ? undefined : item.default?.[name];
  const request = isPod ? undefined : item.defaultRequest?.[name];
  const wrong = (list: ListName, value: string, detail: string): void => {
    errors.invalid(path.child(list).key(name), value, detail);
  };
  if (min !== undefined && max !== undefined && exceeds(min, max)) {
    wrong('min', min, `min value ${min} is greater than max value ${max}`);
  }
  if (request !== undefined) {
    if (min !== undefined && exceeds(min, request)) {
      wrong('defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
    }
    if (max !== undefined && exceeds(request, max)) {
      wrong('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
    }
    if (limit !== undefined && exceeds(request, limit)) {
      wrong(
        'defaultRequest',
        request,
        `default request value ${request} is greater than default limit value ${limit}`,
      );
    }
  }
  if (limit !== undefined && min !== undefined && exceeds(min, limit)) {
    wrong('default', min, `min value ${min} is greater than default value ${limit}`);
  }
  if (limit !== undefined && max !== undefined && exceeds(limit, max)) {
    wrong('default', max, `default value ${limit} is greater than max value ${max}`);
  }
  validateRatio(name, item.maxLimitRequestRatio?.[name], min, max, wrong);
  const differ =
    limit !== undefined && request !== undefined && (exceeds(limit, request) || exceeds(request, limit));
  if (differ && !isOvercommitAllowed(name)) {
    wrong(
      'defaultRequest',
      request,
      `default value ${limit} must equal to defaultRequest value ${request} in ${name}`,
    );
  }
}

function validateRatio(
  _name: string,
  ratio: string | undefined,
  min: string | undefined,
  max: string | undefined,
  wrong: (list: ListName, value: string, detail: string) => void,
): void {
  if (ratio === undefined) return;
  const amount = parseQuantity(ratio);
  if (compareQuantities(amount, quantityOf(1)) < 0)
    wrong('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
  if (min === undefined || max === undefined) return;
  const highest = quantityMilliValue(parseQuantity(max)) / quantityMilliValue(parseQuantity(min));
  if (quantityMilliValue(amount) / 1000 > highest) {
    wrong('maxLimitRequestRatio', ratio, `ratio ${ratio} is greater than max/min = ${highest.toFixed(6)}`);
  }
}
