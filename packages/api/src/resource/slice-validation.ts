/** Validates ResourceSlices: their pool, nodes, devices and shared counters. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  type FieldError,
  type FieldPath,
  invalidError,
} from '@coxswain/apimachinery';
import { NodeSelectorTerm } from '../core/v1/node-selector.ts';
import { validateNodeSelector } from '../core/v1/pod/scheduling-validation.ts';
import { asSent, check, immutable, pathOf, Errors } from '../meta/checks.ts';
import { goStructs } from '../meta/go-struct.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../meta/object-meta-validation.ts';
import { validateDriverName } from '../storage/driver-validation.ts';
import { validateCounters, validateDevice } from './device-validation.ts';
import { validateSet } from './list-validation.ts';
import { validatePoolName } from './name-validation.ts';
import type { ResourcePool, ResourceSliceSpec } from './v1/resource-slice-spec.ts';
import type { CounterSet, Device } from './v1/device.ts';

type Slice = SpecObject<ResourceSliceSpec>;

const devicesMax = 128;
const advancedDevicesMax = 64;
const counterSetsMax = 8;
const specPath = pathOf('spec');

export function validateSlice({ metadata, spec }: Slice, old: Slice | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(metadata, old?.metadata, { namespaced: false, name: subdomainName }, errors);
  validateDriverName(spec.driver ?? '', specPath.child('driver'), errors);
  validatePool(spec.pool ?? {}, specPath.child('pool'), errors);
  if (old !== undefined) {
    immutable(spec.pool?.name, old.spec.pool?.name, specPath.child('pool', 'name'), errors);
    immutable(spec.driver, old.spec.driver, specPath.child('driver'), errors);
    immutable(spec.nodeName, old.spec.nodeName, specPath.child('nodeName'), errors);
  }
  validateNodes(spec, errors);
  const { devices = [], sharedCounters } = spec;
  if (asSent(spec, 'sharedCounters', []) !== null && asSent(spec, 'devices', []) !== null) {
    const detail = 'only one of `sharedCounters` or `devices` is allowed';
    errors.push({ ...invalidError(specPath, '', detail), gate: 'DRAPartitionableDevices' });
  }
  validateSet(
    devices,
    devices.some(isAdvanced) ? advancedDevicesMax : devicesMax,
    ({ name }) => name ?? '',
    specPath.child('devices'),
    errors,
    (device, path) => {
      const stored = old?.spec.devices?.find(({ name }) => name === device.name);
      validateDevice(device, stored, spec.perDeviceNodeSelection === true, path, errors);
    },
  );
  validateSet(
    sharedCounters,
    counterSetsMax,
    ({ name }) => name ?? '',
    specPath.child('sharedCounters'),
    errors,
    (each, path) => validateCounterSet(each, path, errors),
  );
  return errors;
}

const isAdvanced = ({ taints, consumesCounters, attributes }: Device): boolean =>
  (taints ?? []).length + (consumesCounters ?? []).length > 0 ||
  Object.values(attributes ?? {}).some(
    ({ ints, bools, strings, versions }) => (ints ?? bools ?? strings ?? versions) != null,
  );

function validatePool(pool: Partial<ResourcePool>, path: FieldPath, errors: Errors): void {
  const { name = '', resourceSliceCount: count = 0, generation = 0 } = pool;
  validatePoolName(name, path.child('name'), errors);
  if (count <= 0) {
    errors.invalid(path.child('resourceSliceCount'), count, 'must be greater than zero');
  }
  if (generation < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.invalid(path.child('generation'), generation, detail);
  }
}

function validateNodes(spec: ResourceSliceSpec, errors: Errors): void {
  const set: string[] = [];
  if (spec.nodeName != null) {
    const path = specPath.child('nodeName');
    if (spec.nodeName === '') {
      errors.invalid(path, '', 'must be either unset or set to a non-empty string');
    } else {
      set.push('`nodeName`');
      check(spec.nodeName, path, checkDnsSubdomain, errors);
    }
  }
  if (spec.nodeSelector != null) {
    set.push('`nodeSelector`');
    const path = specPath.child('nodeSelector');
    validateNodeSelector(spec.nodeSelector, false, path, errors);
    const terms = spec.nodeSelector.nodeSelectorTerms;
    if (terms?.length !== 1) {
      const printed = goStructs(
        NodeSelectorTerm,
        asSent(spec.nodeSelector, 'nodeSelectorTerms', []) as typeof terms,
      );
      const detail = 'must have exactly one node selector term';
      errors.invalid(path.child('nodeSelectorTerms'), printed, detail);
    }
  }
  for (const name of ['allNodes', 'perDeviceNodeSelection'] as const) {
    if (spec[name] === true) set.push(`\`${name}\``);
    else if (spec[name] === false) {
      errors.invalid(specPath.child(name), false, 'must be either unset or set to true');
    }
  }
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (set.length === 0) errors.required(specPath, detail);
  else if (set.length > 1) {
    const printed = `{${set.join(', ')}}`;
    errors.invalid(specPath, printed, `${detail}, but multiple fields are set`);
  }
}

function validateCounterSet({ name = '', counters }: CounterSet, path: FieldPath, errors: Errors): void {
  if (name === '') errors.required(path.child('name'));
  else check(name, path.child('name'), checkDnsLabel, errors);
  validateCounters(counters, path.child('counters'), errors);
}
