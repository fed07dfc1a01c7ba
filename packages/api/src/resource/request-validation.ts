/** Validates device requests of a claim: requests, alternatives, constraints, selectors and configuration. */

import { bigintsAsNumbers } from '@coxswain/schema/scalars/raw-number.ts';
import {
  byteLength,
  checkDnsLabel,
  checkDnsSubdomain,
  type FieldPath,
  requiredError,
} from '@coxswain/apimachinery';
import { check, notPositiveMessage, type Errors } from '../meta/checks.ts';
import { validateDriverName } from '../storage/driver-validation.ts';
import { validateEach, validateSet } from './list-validation.ts';
import { validateQualifiedAttributeName } from './name-validation.ts';
import { validateSelectors } from './selector-validation.ts';
import { validateToleration } from './taint-validation.ts';
import type { DeviceConfiguration } from './v1/device-configuration.ts';
import type {
  DeviceConstraint,
  DeviceRequest,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from './v1/resource-claim-spec.ts';

export const listMax = 32;
const alternativesMax = 8;
const parametersLengthMax = 10 * 1024;

export function validateClaimSpec({ devices }: ResourceClaimSpec, path: FieldPath, errors: Errors): void {
  const at = path.child('devices');
  const { requests, constraints, config } = devices ?? {};
  const names = requestNames(requests ?? []);
  validateSet(
    requests,
    listMax,
    ({ name }) => name ?? '',
    at.child('requests'),
    errors,
    (request, each) => validateRequest(request, each, errors),
  );
  validateEach(constraints, listMax, at.child('constraints'), errors, (constraint, each) => {
    validateReferences(constraint.requests, names, each.child('requests'), errors);
    validateConstraint(constraint, each, errors);
  });
  validateEach(config, listMax, at.child('config'), errors, (each, configPath) => {
    validateReferences(each.requests, names, configPath.child('requests'), errors);
    validateConfiguration(each, false, configPath, errors);
  });
}

/** The names of requests, and of their alternatives after a slash. */
export function requestNames(requests: readonly DeviceRequest[]): ReadonlySet<string> {
  return new Set(
    requests.flatMap(({ name, firstAvailable }) => [
      name,
      ...(firstAvailable ?? []).map((alternative) => `${name}/${alternative.name}`),
    ]),
  );
}

function validateRequest(request: DeviceRequest, path: FieldPath, errors: Errors): void {
  check(request.name ?? '', path.child('name'), checkDnsLabel, errors);
  const alternatives = request.firstAvailable ?? [];
  const one = 'exactly one of `exactly` or `firstAvailable` is required';
  if (alternatives.length > 0 && request.exactly != null) {
    errors.invalid(path, null, `${one}, but multiple fields are set`);
  } else if (request.exactly != null) validateExact(request.exactly, path.child('exactly'), errors);
  else if (alternatives.length === 0) errors.required(path, one);
  else {
    const at = path.child('firstAvailable');
    validateSet(
      alternatives,
      alternativesMax,
      ({ name }) => name ?? '',
      at,
      errors,
      (each, eachPath) => {
        check(each.name ?? '', eachPath.child('name'), checkDnsLabel, errors);
        validateExact(each, eachPath, errors);
      },
    );
  }
}

function validateExact(request: ExactDeviceRequest, path: FieldPath, errors: Errors): void {
  const { deviceClassName, selectors, allocationMode = '', count = 0, tolerations } = request;
  if (!deviceClassName) errors.required(path.child('deviceClassName'));
  else check(deviceClassName, path.child('deviceClassName'), checkDnsSubdomain, errors);
  validateSelectors(selectors, path.child('selectors'), errors);
  if (allocationMode === 'All') {
    if (Number(count) !== 0) {
      const detail = "must not be specified when allocationMode is 'All'";
      errors.invalid(path.child('count'), count, detail);
    }
  } else if (allocationMode !== 'ExactCount') {
    errors.notSupported(path.child('allocationMode'), allocationMode, ['All', 'ExactCount']);
  } else if (count <= 0) errors.invalid(path.child('count'), count, notPositiveMessage);
  for (const [index, toleration] of (tolerations ?? []).entries()) {
    validateToleration(toleration, path.child('tolerations').index(index), errors);
  }
}

function validateConstraint(constraint: DeviceConstraint, path: FieldPath, errors: Errors): void {
  const name = constraint.matchAttribute == null ? 'distinctAttribute' : 'matchAttribute';
  const attribute = constraint[name];
  if (attribute != null) {
    validateQualifiedAttributeName(attribute, path.child(name), errors);
    return;
  }
  const detail =
    'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  const gate = 'DRAConsumableCapacity';
  errors.push({ ...requiredError(path, detail), gate });
  errors.push({ ...requiredError(path.child('matchAttribute')), unless: gate });
}

export function validateReferences(
  references: readonly string[] | null | undefined,
  names: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  validateSet(
    references,
    listMax,
    (name) => name,
    path,
    errors,
    (name, at) => validateReference(name, names, at, errors),
  );
}

export function validateReference(
  name: string,
  names: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  const segments = name.split('/');
  if (segments.length <= 2) for (const segment of segments) check(segment, path, checkDnsLabel, errors);
  if (names.has(name)) return;
  const detail =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  errors.invalid(path, name, detail);
}

/** The length of stored parameters is not checked. */
export function validateConfiguration(
  { opaque }: DeviceConfiguration,
  isStored: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('opaque');
  if (opaque == null) {
    errors.required(at);
    return;
  }
  validateDriverName(opaque.driver ?? '', at.child('driver'), errors);
  const lengthMax = isStored ? Number.POSITIVE_INFINITY : parametersLengthMax;
  validateRawObject(opaque.parameters, lengthMax, at.child('parameters'), errors);
}

/** A JSON object of any shape. */
export function validateRawObject(value: unknown, lengthMax: number, path: FieldPath, errors: Errors): void {
  if (value == null) errors.required(path);
  else if (byteLength(JSON.stringify(value, bigintsAsNumbers)) > lengthMax) errors.tooLong(path, lengthMax);
  else if (typeof value !== 'object' || Array.isArray(value)) {
    errors.invalid(path, '<value omitted>', 'must be a valid JSON object');
  }
}
