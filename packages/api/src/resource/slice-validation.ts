/** ResourceSlices; counters and capacities are not looked at closely. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  goJson,
  invalidError,
  notSupportedError,
  PrintedValue,
  requiredError,
  tooLongError,
  validateLabelName,
} from '@coxswain/apimachinery';
import type { FieldError, FieldPath } from '@coxswain/apimachinery';
import { check, immutable, pathOf } from '../meta/checks.ts';
import type { Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../meta/object-meta-validation.ts';
import { validateDriverName } from '../storage/driver-validation.ts';
import { validateAttributeName, validateEach, validateSet } from './list-validation.ts';
import type { Device, DeviceAttribute, ResourcePool, ResourceSliceSpec } from './v1/resource-slice.ts';

type Slice = SpecObject<ResourceSliceSpec>;

const devicesMax = 128;
const advancedDevicesMax = 64;
const taintsMax = 16;
const propertiesMax = 32;
const poolNameLengthMax = 253;
const valueLengthMax = 64;
const specPath = pathOf('spec');
const effects = ['NoExecute', 'NoSchedule', 'None'];

export function validateSlice({ metadata, spec }: Slice, old: Slice | undefined): FieldError[] {
  const errors: Errors = [];
  validateMeta(metadata, old?.metadata, { namespaced: false, name: subdomainName }, errors);
  validateDriverName(spec.driver ?? '', specPath.child('driver'), errors);
  validatePool(spec.pool ?? {}, specPath.child('pool'), errors);
  if (old !== undefined) {
    immutable(spec.pool?.name, old.spec.pool?.name, specPath.child('pool', 'name'), errors);
    immutable(spec.driver, old.spec.driver, specPath.child('driver'), errors);
    immutable(spec.nodeName, old.spec.nodeName, specPath.child('nodeName'), errors);
  }
  validateNodes(spec, errors);
  const devices = spec.devices ?? [];
  const isAdvanced = devices.some(
    ({ taints, consumesCounters }) => (taints ?? []).length + (consumesCounters ?? []).length > 0,
  );
  const countMax = isAdvanced ? advancedDevicesMax : devicesMax;
  validateSet(
    devices,
    countMax,
    ({ name }) => name ?? '',
    specPath.child('devices'),
    errors,
    (device, path) => validateDevice(device, path, errors),
  );
  return errors;
}

function validatePool(pool: Partial<ResourcePool>, path: FieldPath, errors: Errors): void {
  const { name = '', resourceSliceCount: count = 0, generation = 0 } = pool;
  if (name === '') errors.push(requiredError(path.child('name')));
  else {
    if (name.length > poolNameLengthMax) errors.push(tooLongError(path.child('name'), poolNameLengthMax));
    for (const part of name.split('/')) check(part, path.child('name'), checkDnsSubdomain, errors);
  }
  if (count <= 0)
    errors.push(invalidError(path.child('resourceSliceCount'), count, 'must be greater than zero'));
  if (generation < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalidError(path.child('generation'), generation, detail));
  }
}

function validateNodes(spec: ResourceSliceSpec, errors: Errors): void {
  const set: string[] = [];
  if (spec.nodeName != null) {
    const path = specPath.child('nodeName');
    if (spec.nodeName === '') {
      errors.push(invalidError(path, '', 'must be either unset or set to a non-empty string'));
    } else {
      set.push('`nodeName`');
      check(spec.nodeName, path, checkDnsSubdomain, errors);
    }
  }
  if (spec.nodeSelector != null) set.push('`nodeSelector`');
  for (const name of ['allNodes', 'perDeviceNodeSelection'] as const) {
    if (spec[name] === true) set.push(`\`${name}\``);
    else if (spec[name] === false) {
      errors.push(invalidError(specPath.child(name), false, 'must be either unset or set to true'));
    }
  }
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (set.length === 0) errors.push(requiredError(specPath, detail));
  else if (set.length > 1) {
    const printed = `{${set.join(', ')}}`;
    errors.push(invalidError(specPath, printed, `${detail}, but multiple fields are set`));
  }
}

function validateDevice(device: Device, path: FieldPath, errors: Errors): void {
  check(device.name ?? '', path.child('name'), checkDnsLabel, errors);
  const { attributes = {}, capacity = {} } = device;
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > propertiesMax) {
    const detail = `the total number of attributes and capacities must not exceed ${propertiesMax}`;
    errors.push(invalidError(path, count, detail));
  }
  for (const name of Object.keys(attributes).sort()) {
    const at = path.child('attributes');
    validateAttributeName(name, at, errors);
    validateAttribute(attributes[name]!, at.key(name), errors);
  }
  for (const name of Object.keys(capacity).sort()) {
    validateAttributeName(name, path.child('capacity'), errors);
  }
  validateEach(device.taints, taintsMax, path.child('taints'), errors, ({ key, value, effect }, at) => {
    errors.push(...validateLabelName(key ?? '', at.child('key')));
    if (value) check(value, at.child('value'), checkLabelValue, errors);
    if (!effect) errors.push(requiredError(at.child('effect')));
    else if (!effects.includes(effect)) errors.push(notSupportedError(at.child('effect'), effect, effects));
  });
}

const members = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'] as const;
const goNames = [
  'IntValue',
  'BoolValue',
  'StringValue',
  'VersionValue',
  'IntValues',
  'BoolValues',
  'StringValues',
  'VersionValues',
] as const;

const version = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

function validateAttribute(attribute: DeviceAttribute, path: FieldPath, errors: Errors): void {
  for (const name of ['string', 'version'] as const) {
    const value = attribute[name];
    if (value == null) continue;
    const at = path.child(name);
    if (value.length > valueLengthMax) errors.push(tooLongError(at, valueLengthMax));
    if (name === 'version' && !version.test(value)) {
      errors.push(invalidError(at, value, 'must be a string compatible with semver.org spec 2.0.0'));
    }
  }
  const count = members.filter((name) => attribute[name] != null).length;
  if (count === 1) return;
  const printed = Object.fromEntries(
    goNames.map((name, index) => [name, attribute[members[index]!] ?? null]),
  );
  const shown = count === 0 ? '' : new PrintedValue(goJson(printed));
  errors.push(invalidError(path, shown, 'exactly one value must be specified'));
}
