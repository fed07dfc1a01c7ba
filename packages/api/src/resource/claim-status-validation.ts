/** Validates a claim's status: its allocation, its users, and the drivers' device status. */

import {
  byteLength,
  checkDnsLabel,
  semanticDeepEqual,
  validateInterfaceAddress,
  validateLabelName,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { goEqual } from '@coxswain/schema';
import { validateNodeSelector } from '../core/v1/pod/scheduling-validation.ts';
import { check, immutableMessage, pathOf, Errors } from '../meta/checks.ts';
import { validateConditions } from '../meta/condition-validation.ts';
import { goStruct } from '../meta/go-struct.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import { validateDriverName } from '../storage/driver-validation.ts';
import { validateEach, validateSet } from './list-validation.ts';
import { validatePoolName, validateShareId } from './name-validation.ts';
import {
  listMax,
  requestNames,
  validateConfiguration,
  validateRawObject,
  validateReference,
  validateReferences,
} from './request-validation.ts';
import type { ResourceClaimSpec } from './v1/resource-claim-spec.ts';
import {
  AllocationResult,
  type DeviceAllocationConfiguration,
  type DeviceRequestAllocationResult,
} from './v1/allocation-result.ts';
import type {
  AllocatedDeviceStatus,
  NetworkDeviceData,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from './v1/resource-claim-status.ts';

type Claim = StatusObject<ResourceClaimSpec, ResourceClaimStatus | undefined>;

const consumersMax = 256;
/** Those of the class and those of the claim. */
const allocatedConfigurationsMax = 2 * listMax;
const deviceConditionsMax = 8;
const deviceDataLengthMax = 10 * 1024;
const interfaceNameLengthMax = 256;
const hardwareAddressLengthMax = 128;
const addressesMax = 16;
const bindingConditionsMax = 4;
const statusPath = pathOf('status');

export function validateClaimStatus({ metadata, spec, status = {} }: Claim, old: Claim): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  const { allocation, reservedFor = [] } = status;
  const consumersPath = statusPath.child('reservedFor');
  validateSet(
    reservedFor,
    consumersMax,
    ({ uid }) => uid ?? '',
    consumersPath,
    errors,
    (each, path) => validateConsumer(each, path, errors),
  );
  validateDevices(status, errors);
  if (reservedFor.length > 0) {
    if (allocation == null) {
      errors.forbidden(consumersPath, 'may not be specified when `allocated` is not set');
    } else if (metadata.deletionTimestamp != null && hasNewConsumers(reservedFor, old)) {
      const detail =
        'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
      errors.forbidden(consumersPath, detail);
    }
  }
  if (allocation == null) return errors;
  const path = statusPath.child('allocation');
  if (old.status?.allocation == null) {
    validateAllocation(allocation, requestNames(spec.devices?.requests ?? []), path, errors);
  } else if (!goEqual(AllocationResult, allocation, old.status.allocation, 'semantic')) {
    errors.invalid(path, goStruct(AllocationResult, allocation), immutableMessage);
  }
  return errors;
}

function hasNewConsumers(consumers: readonly ResourceClaimConsumerReference[], { status }: Claim): boolean {
  const knownOf = Map.groupBy(status?.reservedFor ?? [], ({ uid }) => uid);
  return consumers.some(
    (each) => !(knownOf.get(each.uid) ?? []).some((known) => semanticDeepEqual(each, known)),
  );
}

function validateConsumer(consumer: ResourceClaimConsumerReference, path: FieldPath, errors: Errors): void {
  for (const name of ['resource', 'name', 'uid'] as const) {
    if (!consumer[name]) errors.required(path.child(name));
  }
}

interface DeviceReference {
  driver?: string;
  pool?: string;
  device?: string;
  shareID?: string | null;
}

/** A device, or one of its shares, as in upstream's errors. */
const printedDevice = ({ driver = '', pool = '', device = '', shareID }: DeviceReference) => ({
  Driver: driver,
  Pool: pool,
  Device: device,
  ShareID: shareID ?? '',
});

/** Identifies a device, or one of its shares. */
export const deviceKey = (reference: DeviceReference): string => JSON.stringify(printedDevice(reference));

function validateDevices({ allocation, devices }: ResourceClaimStatus, errors: Errors): void {
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceKey));
  validateSet(
    devices,
    Number.POSITIVE_INFINITY,
    deviceKey,
    statusPath.child('devices'),
    errors,
    (device, path) => validateDeviceStatus(device, allocated, path, errors),
    printedDevice,
  );
}

function validateDeviceStatus(
  device: AllocatedDeviceStatus,
  allocated: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  validateDeviceReference(device, path, errors);
  if (device.shareID != null) validateShareId(device.shareID, path.child('shareID'), errors);
  if (!allocated.has(deviceKey(device))) {
    errors.invalid(path, printedDevice(device), 'must be an allocated device in the claim');
  }
  const conditions = device.conditions ?? [];
  const conditionsPath = path.child('conditions');
  if (conditions.length > deviceConditionsMax) {
    errors.tooMany(conditionsPath, conditions.length, deviceConditionsMax);
  }
  validateConditions(conditions, conditionsPath, errors);
  if (device.data != null) validateRawObject(device.data, deviceDataLengthMax, path.child('data'), errors);
  if (device.networkData != null) validateNetwork(device.networkData, path.child('networkData'), errors);
}

function validateDeviceReference(
  { driver = '', pool = '', device = '' }: DeviceReference,
  path: FieldPath,
  errors: Errors,
): void {
  validateDriverName(driver, path.child('driver'), errors);
  validatePoolName(pool, path.child('pool'), errors);
  check(device, path.child('device'), checkDnsLabel, errors);
}

function validateNetwork(
  { interfaceName = '', hardwareAddress = '', ips }: NetworkDeviceData,
  path: FieldPath,
  errors: Errors,
): void {
  if (byteLength(interfaceName) > interfaceNameLengthMax) {
    errors.tooLong(path.child('interfaceName'), interfaceNameLengthMax);
  }
  if (byteLength(hardwareAddress) > hardwareAddressLengthMax) {
    errors.tooLong(path.child('hardwareAddress'), hardwareAddressLengthMax);
  }
  validateSet(
    ips,
    addressesMax,
    (address) => address,
    path.child('ips'),
    errors,
    (address, at) => void errors.push(...validateInterfaceAddress(at, address)),
  );
}

function validateAllocation(
  { devices, nodeSelector }: AllocationResult,
  names: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('devices');
  validateEach(devices?.results, listMax, at.child('results'), errors, (result, each) =>
    validateResult(result, names, each, errors),
  );
  validateEach(devices?.config, allocatedConfigurationsMax, at.child('config'), errors, (config, each) =>
    validateAllocatedConfiguration(config, names, each, errors),
  );
  if (nodeSelector != null) validateNodeSelector(nodeSelector, false, path.child('nodeSelector'), errors);
}

function validateResult(
  result: DeviceRequestAllocationResult,
  names: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  validateReference(result.request ?? '', names, path.child('request'), errors);
  validateDeviceReference(result, path, errors);
  validateBindingConditions(result, path, errors);
  if (result.shareID != null) validateShareId(result.shareID, path.child('shareID'), errors);
}

function validateAllocatedConfiguration(
  config: DeviceAllocationConfiguration,
  names: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  const source = (config.source ?? '') as string;
  const sources = ['FromClaim', 'FromClass'];
  if (source === '') errors.required(path.child('source'));
  else if (!sources.includes(source)) errors.notSupported(path.child('source'), source, sources);
  validateReferences(config.requests, names, path.child('requests'), errors);
  validateConfiguration(config, false, path, errors);
}

interface BindingConditions {
  bindingConditions?: readonly string[] | null;
  bindingFailureConditions?: readonly string[] | null;
}

/** Conditions that a device must meet after its selection, and those that mean failure. */
export function validateBindingConditions(device: BindingConditions, path: FieldPath, errors: Errors): void {
  const wanted = device.bindingConditions ?? [];
  const failures = device.bindingFailureConditions ?? [];
  const wantedPath = path.child('bindingConditions');
  const failuresPath = path.child('bindingFailureConditions');
  const validateName = (name: string, at: FieldPath): void =>
    void errors.push(...validateLabelName(name, at));
  validateEach(wanted, bindingConditionsMax, wantedPath, errors, validateName);
  validateEach(failures, bindingConditionsMax, failuresPath, errors, validateName);
  const [wantedNames, failureNames] = [new Set<string>(), new Set<string>()];
  for (const [index, name] of wanted.entries()) {
    if (wantedNames.has(name)) errors.duplicate(wantedPath.index(index), name);
    wantedNames.add(name);
  }
  for (const [index, name] of failures.entries()) {
    if (failureNames.has(name)) errors.duplicate(failuresPath.index(index), name);
    failureNames.add(name);
    if (!wantedNames.has(name)) continue;
    const detail = 'bindingFailureConditions must not overlap with bindingConditions';
    errors.invalid(failuresPath.index(index), name, detail);
  }
  if (wanted.length === 0 && failures.length > 0) {
    const detail = 'bindingConditions are required to use bindingFailureConditions';
    errors.invalid(wantedPath, null, detail);
  }
  if (failures.length === 0 && wanted.length > 0) {
    const detail = 'bindingFailureConditions are required to use bindingConditions';
    errors.invalid(failuresPath, null, detail);
  }
}
