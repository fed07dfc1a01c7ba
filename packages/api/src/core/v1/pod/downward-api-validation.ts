/** Validates the pod fields and resources that environment variables and files may expose. */

import {
  checkQualifiedName,
  compareQuantities,
  parseQuantity,
  zeroQuantity,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, type Errors } from '../../../meta/checks.ts';
import type { DownwardAPIVolumeFile } from '../downward-api-volume-file.ts';
import type { ObjectFieldSelector } from '../object-field-selector.ts';
import { fileMode, localNonReservedPath } from './path-validation.ts';
import type { ResourceFieldSelector } from '../resource-field-selector.ts';

/** Sorted, as errors list them. */
export const environmentFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

const fileFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** All known field paths, wherever they are used. */
const knownFields: ReadonlySet<string> = new Set([
  ...environmentFields,
  ...fileFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.host',
  'status.phase',
]);

const resourceFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

export function validateFieldSelector(
  selector: ObjectFieldSelector,
  allowed: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  if (!selector.apiVersion) {
    errors.required(path.child('apiVersion'));
    return;
  }
  if (!selector.fieldPath) {
    errors.required(path.child('fieldPath'));
    return;
  }
  const subscripted = /^(.*)\['(.*)'\]$/s.exec(selector.fieldPath);
  const problem = conversionProblem(selector.apiVersion, selector.fieldPath, subscripted?.[1]);
  if (problem !== undefined) {
    errors.invalid(path.child('fieldPath'), selector.fieldPath, `error converting fieldPath: ${problem}`);
    return;
  }
  const field = selector.fieldPath === 'spec.host' ? 'spec.nodeName' : selector.fieldPath;
  if (subscripted === null) {
    if (!allowed.includes(field)) errors.notSupported(path.child('fieldPath'), field, allowed);
  } else if (subscripted[1] === 'metadata.annotations') {
    check(subscripted[2]!.toLowerCase(), path, checkQualifiedName, errors);
  } else {
    check(subscripted[2]!, path, checkQualifiedName, errors);
  }
}

function conversionProblem(
  apiVersion: string,
  fieldPath: string,
  subscriptedPath: string | undefined,
): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  if (subscriptedPath !== undefined) {
    const isKnown = subscriptedPath === 'metadata.annotations' || subscriptedPath === 'metadata.labels';
    return isKnown ? undefined : `field label does not support subscript: ${fieldPath}`;
  }
  return knownFields.has(fieldPath) ? undefined : `field label not supported: ${fieldPath}`;
}

/** `needsContainer`: for a file, which belongs to no container. */
export function validateResourceFieldSelector(
  selector: ResourceFieldSelector,
  needsContainer: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const resource = selector.resource ?? '';
  if (needsContainer && !selector.containerName) errors.required(path.child('containerName'));
  else if (resource === '') errors.required(path.child('resource'));
  else if (!resourceFields.includes(resource) && !hugePagesField.test(resource)) {
    errors.notSupported(path.child('resource'), resource, resourceFields);
  }
  validateDivisor(resource, selector.divisor, path, errors);
}

const hugePagesField = /^(requests|limits)\.hugepages-/;

const byteDivisors = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei';
const allowedByteDivisors = byteDivisors.split(', ');

function validateDivisor(
  resource: string,
  divisor: string | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (!divisor || compareQuantities(parseQuantity(divisor), zeroQuantity) === 0) return;
  const wrong = (detail: string): void => {
    errors.invalid(path.child('divisor'), resource, detail);
  };
  const isByteDivisor = allowedByteDivisors.includes(divisor);
  if (/^(limits|requests)\.cpu$/.test(resource)) {
    if (divisor !== '1m' && divisor !== '1')
      wrong("only divisor's values 1m and 1 are supported with the cpu resource");
  } else if (isByteDivisor) {
    return;
  } else if (/^(limits|requests)\.memory$/.test(resource)) {
    wrong(`only divisor's values ${byteDivisors} are supported with the memory resource`);
  } else if (/^(limits|requests)\.ephemeral-storage$/.test(resource)) {
    wrong(`only divisor's values ${byteDivisors} are supported with the local ephemeral storage resource`);
  } else if (hugePagesField.test(resource)) {
    wrong(`only divisor's values ${byteDivisors} are supported with the hugepages resource`);
  }
}

/** The path is the volume's: upstream doesn't name the item. */
export function validateDownwardFile(file: DownwardAPIVolumeFile, path: FieldPath, errors: Errors): void {
  if (!file.path) errors.required(path.child('path'));
  localNonReservedPath(file.path ?? '', path.child('path'), errors);
  if (file.fieldRef != null) {
    validateFieldSelector(file.fieldRef, fileFields, path.child('fieldRef'), errors);
    if (file.resourceFieldRef != null) {
      errors.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (file.resourceFieldRef != null) {
    validateResourceFieldSelector(file.resourceFieldRef, true, path.child('resourceFieldRef'), errors);
  } else {
    errors.required(path, 'one of fieldRef and resourceFieldRef is required');
  }
  fileMode(file.mode, path, 'mode', errors);
}
