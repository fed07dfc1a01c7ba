/**
 * ResourceClaims, their templates and DeviceClasses. Whether selectors compile is not looked at, nor what
 * an allocation holds.
 */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  forbiddenError,
  invalidError,
  notSupportedError,
  requiredError,
  semanticDeepEqual,
  tooLongError,
  validateLabelName,
} from '@coxswain/apimachinery';
import type { FieldError, FieldPath } from '@coxswain/apimachinery';
import type { Type } from '@coxswain/schema';
import { isExtendedResource } from '../core/v1/resource-validation.ts';
import { check, immutableMessage, notPositiveMessage, pathOf } from '../meta/checks.ts';
import type { Errors } from '../meta/checks.ts';
import { goStruct } from '../meta/go-struct.ts';
import type { SpecObject, StatusObject } from '../meta/kind-object.ts';
import {
  subdomainName,
  validateMeta,
  validateObjectMetaUpdate,
  validateTemplateMeta,
} from '../meta/object-meta-validation.ts';
import { validateDriverName } from '../storage/driver-validation.ts';
import { validateAttributeName, validateEach, validateSet } from './list-validation.ts';
import type { DeviceClassSpec } from './v1/device-class.ts';
import type { DeviceConfiguration } from './v1/device-configuration.ts';
import type { DeviceSelector } from './v1/device-selector.ts';
import type { DeviceToleration } from './v1/device-toleration.ts';
import { ResourceClaimSpec } from './v1/resource-claim-spec.ts';
import type { DeviceConstraint, DeviceRequest, ExactDeviceRequest } from './v1/resource-claim-spec.ts';
import type { ResourceClaimTemplateSpec } from './v1/resource-claim-template.ts';

const listMax = 32;
const alternativesMax = 8;
const expressionLengthMax = 10 * 1024;
const parametersLengthMax = 10 * 1024;
const namespacedRules = { namespaced: true, name: subdomainName };
const specPath = pathOf('spec');

type Claim = StatusObject<ResourceClaimSpec, { allocation?: object | null; reservedFor?: { uid: string }[] }>;

export function validateClaim({ metadata, spec }: Claim, old: Claim | undefined): FieldError[] {
  const errors: Errors = [];
  if (old === undefined) {
    validateMeta(metadata, undefined, namespacedRules, errors);
    validateClaimSpec(spec, specPath, errors);
    return errors;
  }
  validateMeta(metadata, undefined, namespacedRules, errors);
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  immutableStruct(ResourceClaimSpec, spec, old.spec, specPath, errors);
  return errors;
}

export function validateClaimStatus({ metadata, status }: Claim, old: Claim): FieldError[] {
  const errors: Errors = [];
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  if ((status?.reservedFor ?? []).length > 0 && status.allocation == null) {
    const detail = 'may not be specified when `allocated` is not set';
    errors.push(forbiddenError(pathOf('status', 'reservedFor'), detail));
  }
  return errors;
}

type Template = SpecObject<ResourceClaimTemplateSpec>;

export function validateTemplate({ metadata, spec }: Template, old: Template | undefined): FieldError[] {
  const errors: Errors = [];
  validateMeta(metadata, old?.metadata, namespacedRules, errors);
  if (old !== undefined) {
    if (semanticDeepEqual(spec, old.spec)) return errors;
    const printed = { ...spec.metadata, Spec: goStructValue(spec.spec) };
    errors.push(invalidError(specPath, printed, immutableMessage));
    return errors;
  }
  validateTemplateMetadata(spec.metadata, specPath.child('metadata'), errors);
  validateClaimSpec(spec.spec, specPath.child('spec'), errors);
  return errors;
}

const goStructValue = (spec: ResourceClaimSpec): unknown =>
  JSON.parse(goStruct(ResourceClaimSpec, spec).text) as unknown;

function immutableStruct(type: Type, value: unknown, old: unknown, path: FieldPath, errors: Errors): void {
  if (semanticDeepEqual(value, old)) return;
  errors.push(invalidError(path, goStruct(type, value), immutableMessage));
}

const allowedMetadata = new Set(['labels', 'annotations']);

function validateTemplateMetadata(
  metadata: ResourceClaimTemplateSpec['metadata'],
  path: FieldPath,
  errors: Errors,
): void {
  validateTemplateMeta(metadata, path, errors);
  for (const [name, value] of Object.entries(metadata ?? {})) {
    if (!allowedMetadata.has(name) && value) errors.push(forbiddenError(path.child(name), 'cannot be set'));
  }
}

function validateClaimSpec({ devices }: ResourceClaimSpec, path: FieldPath, errors: Errors): void {
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
    validateConfiguration(each, configPath, errors);
  });
}

/** Names of requests, and of their alternatives behind a slash. */
function requestNames(requests: readonly DeviceRequest[]): ReadonlySet<string> {
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
    errors.push(invalidError(path, null, `${one}, but multiple fields are set`));
  } else if (request.exactly != null) validateExact(request.exactly, path.child('exactly'), errors);
  else if (alternatives.length === 0) errors.push(requiredError(path, one));
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
  if (!deviceClassName) errors.push(requiredError(path.child('deviceClassName')));
  else check(deviceClassName, path.child('deviceClassName'), checkDnsSubdomain, errors);
  validateSelectors(selectors, path.child('selectors'), errors);
  if (allocationMode === 'All') {
    if (count !== 0) {
      const detail = "must not be specified when allocationMode is 'All'";
      errors.push(invalidError(path.child('count'), count, detail));
    }
  } else if (allocationMode !== 'ExactCount') {
    errors.push(notSupportedError(path.child('allocationMode'), allocationMode, ['All', 'ExactCount']));
  } else if (count <= 0) errors.push(invalidError(path.child('count'), count, notPositiveMessage));
  for (const [index, toleration] of (tolerations ?? []).entries()) {
    validateToleration(toleration, path.child('tolerations').index(index), errors);
  }
}

const effects = ['NoExecute', 'NoSchedule', 'None'];

function validateToleration(toleration: DeviceToleration, path: FieldPath, errors: Errors): void {
  const { key, operator, value = '', effect } = toleration;
  if (key) errors.push(...validateLabelName(key, path.child('key')));
  if (operator === 'Exists') {
    if (value !== '') {
      errors.push(invalidError(path.child('value'), value, 'must be empty for operator `Exists`'));
    }
  } else if (operator === 'Equal') check(value, path.child('value'), checkLabelValue, errors);
  else if (!operator) errors.push(requiredError(path.child('operator')));
  else errors.push(notSupportedError(path.child('operator'), operator, ['Equal', 'Exists']));
  if (effect && !effects.includes(effect)) {
    errors.push(notSupportedError(path.child('effect'), effect, effects));
  }
}

function validateSelectors(
  selectors: readonly DeviceSelector[] | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  validateEach(selectors, listMax, path, errors, ({ cel }, each) => {
    if (cel == null) errors.push(requiredError(each.child('cel')));
    else if (Buffer.byteLength(cel.expression ?? '') > expressionLengthMax) {
      errors.push(tooLongError(each.child('cel', 'expression'), expressionLengthMax));
    }
  });
}

function validateConstraint(constraint: DeviceConstraint, path: FieldPath, errors: Errors): void {
  const name = constraint.matchAttribute == null ? 'distinctAttribute' : 'matchAttribute';
  const attribute = constraint[name];
  if (attribute == null) {
    const detail =
      'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
    errors.push(requiredError(path, detail));
    return;
  }
  validateAttributeName(attribute, path.child(name), errors);
  if (attribute.includes('/')) return;
  const detail = 'a fully qualified name must be a domain and a name separated by a slash';
  errors.push(invalidError(path.child(name), attribute, detail));
}

function validateReferences(
  references: readonly string[] | undefined,
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
    (name, at) => {
      const segments = name.split('/');
      if (segments.length <= 2) for (const segment of segments) check(segment, at, checkDnsLabel, errors);
      if (names.has(name)) return;
      const detail =
        "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
      errors.push(invalidError(at, name, detail));
    },
  );
}

function validateConfiguration({ opaque }: DeviceConfiguration, path: FieldPath, errors: Errors): void {
  const at = path.child('opaque');
  if (opaque == null) {
    errors.push(requiredError(at));
    return;
  }
  validateDriverName(opaque.driver ?? '', at.child('driver'), errors);
  const parameters = opaque.parameters as unknown;
  const parametersPath = at.child('parameters');
  if (parameters == null) errors.push(requiredError(parametersPath));
  else if (Buffer.byteLength(JSON.stringify(parameters)) > parametersLengthMax) {
    errors.push(tooLongError(parametersPath, parametersLengthMax));
  } else if (typeof parameters !== 'object' || Array.isArray(parameters)) {
    errors.push(invalidError(parametersPath, '<value omitted>', 'must be a valid JSON object'));
  }
}

type Class = SpecObject<DeviceClassSpec>;

export function validateDeviceClass({ metadata, spec }: Class, old: Class | undefined): FieldError[] {
  const errors: Errors = [];
  validateMeta(metadata, undefined, { namespaced: false, name: subdomainName }, errors);
  if (old !== undefined) validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateSelectors(spec.selectors, specPath.child('selectors'), errors);
  validateEach(spec.config, listMax, specPath.child('config'), errors, (config, path) =>
    validateConfiguration(config, path, errors),
  );
  const name = spec.extendedResourceName;
  if (name != null && !isExtendedResource(name)) {
    const detail = 'must be a valid extended resource name';
    errors.push(invalidError(specPath.child('extendedResourceName'), name, detail));
  }
  return errors;
}
