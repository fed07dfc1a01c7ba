/** Validates a device of a ResourceSlice: attributes, capacities, counters, taints, nodes and binding conditions. */

import {
  byteLength,
  checkDnsLabel,
  checkDnsSubdomain,
  compareQuantities,
  parseQuantity,
  semanticDeepEqual,
  zeroQuantity,
  type FieldPath,
} from '@coxswain/apimachinery';
import { isNativeResource } from '../core/v1/resource-list.ts';
import { validateNodeSelector } from '../core/v1/pod/scheduling-validation.ts';
import { check, type Errors } from '../meta/checks.ts';
import { goStruct } from '../meta/go-struct.ts';
import { validateBindingConditions } from './claim-status-validation.ts';
import { validateCapacity } from './capacity-validation.ts';
import { validateEach, validateMap, validateSet } from './list-validation.ts';
import { validateAttributeName } from './name-validation.ts';
import { validateTaint } from './taint-validation.ts';
import { DeviceAttribute } from './v1/device-attribute.ts';
import type { Counter, Device, DeviceCounterConsumption } from './v1/device.ts';

const taintsMax = 16;
const propertiesMax = 32;
const attributeValuesMax = 48;
const consumptionsMax = 2;
const countersMax = 32;
const valueLengthMax = 64;
const counterNameLengthMax = 63;
/** A driver's name, a slash and an identifier. */
const propertyNames = { keyLengthMax: 63 + 1 + 32 };

export function validateDevice(
  device: Device,
  old: Device | undefined,
  choosesNode: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  check(device.name ?? '', path.child('name'), checkDnsLabel, errors);
  validateCounts(device, path, errors);
  const validateName = (name: string, at: FieldPath): void => validateAttributeName(name, at, errors);
  const { attributes, capacity } = device;
  validateMap(attributes, propertyNames, path.child('attributes'), errors, validateName, (attribute, at) =>
    validateAttribute(attribute, at, errors),
  );
  const isShared = device.allowMultipleAllocations === true;
  validateMap(capacity, propertyNames, path.child('capacity'), errors, validateName, (each, at) =>
    validateCapacity(each, isShared, at, errors),
  );
  if (old === undefined || !semanticDeepEqual(device.taints, old.taints)) {
    validateEach(device.taints, taintsMax, path.child('taints'), errors, (taint, at) =>
      validateTaint(taint, undefined, at, errors),
    );
  }
  validateSet(
    device.consumesCounters,
    consumptionsMax,
    ({ counterSet }) => counterSet ?? '',
    path.child('consumesCounters'),
    errors,
    (each, at) => validateConsumption(each, at, errors),
  );
  if (choosesNode) validateNode(device, path, errors);
  else if ((device.nodeName ?? device.nodeSelector ?? device.allNodes) != null) {
    const detail =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    errors.invalid(path, null, detail);
  }
  validateBindingConditions(device, path, errors);
  validateMappings(device, path.child('nodeAllocatableResourceMappings'), errors);
}

function validateCounts({ attributes = {}, capacity = {} }: Device, path: FieldPath, errors: Errors): void {
  const properties = Object.keys(attributes).length + Object.keys(capacity).length;
  if (properties > propertiesMax) {
    const detail = `the total number of attributes and capacities must not exceed ${propertiesMax}`;
    errors.invalid(path, properties, detail);
  }
  const values = Object.values(attributes).reduce((total, attribute) => total + valueCount(attribute), 0);
  if (values > attributeValuesMax) {
    const detail = `the total number of attribute values must not exceed ${attributeValuesMax}`;
    errors.invalid(path, values, detail);
  }
}

const listMembers = ['bools', 'ints', 'strings', 'versions'] as const;

/** A list has as many values as items. */
const valueCount = (attribute: DeviceAttribute): number =>
  listMembers.reduce((total, name) => total + (attribute[name]?.length ?? 0), 0) || 1;

const versionPart = String.raw`(0|[1-9]\d*)`;
const preReleasePart = String.raw`(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const buildPart = '[0-9a-zA-Z-]+';
const semanticVersion = new RegExp(
  String.raw`^${versionPart}\.${versionPart}\.${versionPart}(-${preReleasePart}(\.${preReleasePart})*)?(\+${buildPart}(\.${buildPart})*)?$`,
);

function validateAttribute(attribute: DeviceAttribute, path: FieldPath, errors: Errors): void {
  const validateText = (text: string, at: FieldPath): void => {
    if (byteLength(text) > valueLengthMax) errors.tooLong(at, valueLengthMax);
  };
  const validateVersion = (text: string, at: FieldPath): void => {
    if (!semanticVersion.test(text)) {
      errors.invalid(at, text, 'must be a string compatible with semver.org spec 2.0.0');
    }
    validateText(text, at);
  };
  if (attribute.string != null) validateText(attribute.string, path.child('string'));
  if (attribute.version != null) validateVersion(attribute.version, path.child('version'));
  for (const name of listMembers) {
    const values = attribute[name];
    const at = path.child(name);
    if (values?.length === 0) errors.invalid(at, values, 'must not be empty if specified');
    for (const [index, value] of (values ?? []).entries()) {
      if (name === 'strings') validateText(value as string, at.index(index));
      if (name === 'versions') validateVersion(value as string, at.index(index));
    }
  }
  const members = ['bool', 'int', 'string', 'version', ...listMembers] as const;
  const count = members.filter((name) => attribute[name] != null).length;
  if (count === 1) return;
  const shown = count === 0 ? '' : goStruct(DeviceAttribute, attribute);
  errors.invalid(path, shown, 'exactly one value must be specified');
}

function validateConsumption(
  { counterSet = '', counters }: DeviceCounterConsumption,
  path: FieldPath,
  errors: Errors,
): void {
  if (counterSet === '') errors.required(path.child('counterSet'));
  else check(counterSet, path.child('counterSet'), checkDnsLabel, errors);
  validateCounters(counters, path.child('counters'), errors);
}

/** At least one; any amount is valid. */
export function validateCounters(
  counters: Readonly<Record<string, Counter>> | null | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (Object.keys(counters ?? {}).length === 0) errors.required(path);
  else {
    const limits = { countMax: countersMax, keyLengthMax: counterNameLengthMax };
    const validateName = (name: string, at: FieldPath): void => check(name, at, checkDnsLabel, errors);
    validateMap(counters, limits, path, errors, validateName, () => undefined);
  }
}

function validateNode({ nodeName, nodeSelector, allNodes }: Device, path: FieldPath, errors: Errors): void {
  const set: string[] = [];
  if (nodeName === '') errors.invalid(path.child('nodeName'), '', 'must not be empty');
  else if (nodeName != null) {
    set.push('`nodeName`');
    check(nodeName, path.child('nodeName'), checkDnsSubdomain, errors);
  }
  if (nodeSelector != null) {
    set.push('`nodeSelector`');
    validateNodeSelector(nodeSelector, false, path.child('nodeSelector'), errors);
  }
  if (allNodes === true) set.push('`allNodes`');
  else if (allNodes === false) {
    errors.invalid(path.child('allNodes'), false, 'must be either unset or set to true');
  }
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (set.length === 0) errors.required(path, detail);
  else if (set.length > 1) errors.invalid(path, `{${set.join(', ')}}`, detail);
}

function validateMappings(
  { nodeAllocatableResourceMappings: mappings = {}, capacity }: Device,
  path: FieldPath,
  errors: Errors,
): void {
  for (const name of Object.keys(mappings).sort()) {
    const at = path.key(name);
    const { allocationMultiplier: multiplier, capacityKey } = mappings[name]!;
    if (!isNativeResource(name)) {
      errors.invalid(at, name, 'must be a node allocatable resource name');
    }
    if (multiplier == null && capacityKey == null) {
      errors.invalid(at, '', 'at least one of allocationMultiplier or capacityKey must be set');
      continue;
    }
    if (multiplier != null && compareQuantities(parseQuantity(multiplier), zeroQuantity) <= 0) {
      errors.invalid(at.child('allocationMultiplier'), multiplier, 'must be positive');
    }
    if (capacityKey == null) continue;
    const keyPath = at.child('capacityKey');
    if (capacityKey === '') {
      errors.invalid(keyPath, '', 'capacityKey must not be an empty string');
    } else if (!Object.hasOwn(capacity ?? {}, capacityKey)) errors.notFound(keyPath, capacityKey);
  }
}
