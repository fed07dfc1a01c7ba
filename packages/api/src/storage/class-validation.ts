/** Validates StorageClasses and VolumeAttributesClasses. */

import {
  byteLength,
  checkQualifiedName,
  semanticDeepEqual,
  validateLabelName,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import type { TopologySelectorTerm } from '../core/v1/topology-selector-term.ts';
import { wasSentEmpty } from '@coxswain/schema';
import { check, immutable, immutableMessage, inKeyOrder, pathOf, Errors } from '../meta/checks.ts';
import type { MetaObject } from '../meta/kind-object.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../meta/object-meta-validation.ts';

interface StorageClass extends MetaObject {
  provisioner?: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string | null;
  volumeBindingMode?: string | null;
  allowedTopologies?: TopologySelectorTerm[];
}

const parametersMax = 512;
const parametersSizeMax = 256 * 1024;
const rules = { namespaced: false, name: subdomainName };
const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];

export function validateStorageClass(storage: StorageClass, old: StorageClass | undefined): FieldError[] {
  const errors = new Errors();
  const { provisioner = '', parameters, reclaimPolicy, volumeBindingMode } = storage;
  validateObjectMeta(storage.metadata, rules, errors);
  validateProvisioner(provisioner, pathOf('provisioner'), errors);
  validateParameters(parameters ?? {}, pathOf('parameters'), errors);
  if (reclaimPolicy && !reclaimPolicies.includes(reclaimPolicy)) {
    errors.notSupported('reclaimPolicy', reclaimPolicy, reclaimPolicies);
  }
  if (volumeBindingMode == null) errors.required('volumeBindingMode');
  else if (!bindingModes.includes(volumeBindingMode)) {
    errors.notSupported('volumeBindingMode', volumeBindingMode, bindingModes);
  }
  validateTopologies(storage.allowedTopologies ?? [], pathOf('allowedTopologies'), errors);
  if (old === undefined) return errors;
  validateObjectMetaUpdate(storage.metadata, old.metadata, errors);
  if (!semanticDeepEqual(parameters, old.parameters)) {
    const isAbsent = parameters === undefined && !wasSentEmpty(storage, 'parameters');
    const printed = isAbsent ? null : inKeyOrder(parameters ?? {});
    errors.invalid('parameters', printed, immutableMessage);
  }
  for (const name of ['provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const) {
    immutable(storage[name], old[name], name, errors);
  }
  return errors;
}

function validateProvisioner(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') errors.required(path);
  else check(name.toLowerCase(), path, checkQualifiedName, errors);
}

function validateParameters(parameters: Record<string, string>, path: FieldPath, errors: Errors): void {
  const entries = Object.entries(parameters);
  if (entries.length > parametersMax) {
    errors.tooLong(path, parametersMax);
    return;
  }
  let size = 0;
  for (const [key, value] of entries) {
    if (key === '') errors.invalid(path, key, 'field can not be empty.');
    size += byteLength(key) + byteLength(value);
  }
  if (size > parametersSizeMax) errors.tooLong(path, parametersSizeMax);
}

function validateTopologies(terms: readonly TopologySelectorTerm[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  let empty = 0;
  for (const [index, { matchLabelExpressions = [] }] of terms.entries()) {
    const at = path.index(index).child('matchLabelExpressions');
    const values = new Map<string, readonly string[]>();
    for (const [position, requirement] of matchLabelExpressions.entries()) {
      validateTopologyValues(requirement.values ?? [], at.index(position).child('values'), errors);
      const { key } = requirement;
      errors.push(...validateLabelName(key, at.index(position).child('key')));
      if (values.has(key)) errors.duplicate(at.index(position).child('key'), key);
      values.set(key, [...new Set(requirement.values)].sort());
    }
    const text = JSON.stringify([...values].sort(([left], [right]) => (left < right ? -1 : 1)));
    // Upstream compares with as many empty terms as there are terms, and with the previous ones; here reporting stops
    // at a limit, since thousands of empty terms would cause millions of errors.
    const alike = values.size === 0 ? terms.length + empty++ : seen.has(text) ? 1 : 0;
    if (errors.length > duplicatesMax) continue;
    for (let time = 0; time < alike; time++) errors.duplicate(at, '');
    seen.add(text);
  }
}

/** The maximum number of reported errors of an object's topologies, besides those of the last term. */
const duplicatesMax = 1_000;

function validateTopologyValues(values: readonly string[], path: FieldPath, errors: Errors): void {
  if (values.length === 0) errors.required(path);
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) errors.duplicate(path.index(index), value);
    seen.add(value);
  }
}

interface AttributesClass extends MetaObject {
  driverName?: string;
  parameters?: Record<string, string>;
}

export function validateAttributesClass(
  attributes: AttributesClass,
  old: AttributesClass | undefined,
): FieldError[] {
  const errors = new Errors();
  const { driverName = '', parameters = {} } = attributes;
  if (old !== undefined) {
    validateObjectMetaUpdate(attributes.metadata, old.metadata, errors);
    if (driverName !== old.driverName) {
      errors.forbidden('driverName', 'updates to driverName are forbidden.');
    }
    if (!semanticDeepEqual(parameters, old.parameters ?? {})) {
      errors.forbidden('parameters', 'updates to parameters are forbidden.');
    }
  }
  validateObjectMeta(attributes.metadata, rules, errors);
  validateProvisioner(driverName, pathOf('driverName'), errors);
  validateParameters(parameters, pathOf('parameters'), errors);
  if (Object.keys(parameters).length === 0) {
    errors.required('parameters', 'must contain at least one key/value pair');
  }
  return errors;
}
