/** Validates the objects of CSI drivers: CSIDrivers, CSINodes, CSIStorageCapacities. */

import {
  checkDnsSubdomain,
  checkQualifiedName,
  validateLabelSelector,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { goEqual, withEmptiedOf, type ValidationContext } from '@coxswain/schema';
import {
  check,
  immutable,
  immutableMessage,
  notNegative,
  notNegativeQuantity,
  pathOf,
  Errors,
} from '../meta/checks.ts';
import { goStruct } from '../meta/go-struct.ts';
import type { MetaObject, SpecObject } from '../meta/kind-object.ts';
import {
  subdomainName,
  validateMeta,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../meta/object-meta-validation.ts';
import { LabelSelector } from '../meta/v1/label-selector.ts';
import type { CSIDriverSpec, TokenRequest } from './v1/csi-driver-spec.ts';
import { CSINodeDriver } from './v1/csi-node-driver.ts';

const driverNameLengthMax = 63;
const nodeIdLengthMax = 256;
const rules = { namespaced: false, name: subdomainName };
const specPath = pathOf('spec');

export function validateDriverName(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') {
    errors.required(path);
    return;
  }
  if (name.length > driverNameLengthMax) errors.tooLong(path, driverNameLengthMax);
  for (const message of checkDnsSubdomain(name.toLowerCase())) errors.invalid(path, name, message);
}

export function validateDriver(
  { metadata, spec }: SpecObject<CSIDriverSpec>,
  old: SpecObject<CSIDriverSpec> | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateMeta(metadata, old?.metadata, rules, errors);
  if (spec.attachRequired == null) errors.required(specPath.child('attachedRequired'));
  for (const name of ['podInfoOnMount', 'storageCapacity'] as const) {
    if (spec[name] == null) errors.required(specPath.child(name));
  }
  const policies = ['File', 'None', 'ReadWriteOnceWithFSType'];
  if (spec.fsGroupPolicy != null && !policies.includes(spec.fsGroupPolicy)) {
    errors.notSupported(specPath.child('fsGroupPolicy'), spec.fsGroupPolicy, policies);
  }
  validateTokenRequests(spec.tokenRequests ?? [], specPath.child('tokenRequests'), errors);
  const modes = ['Persistent', 'Ephemeral'];
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (modes.includes(mode)) continue;
    errors.notSupported(specPath.child('volumeLifecycleModes'), mode, modes);
  }
  if (spec.seLinuxMount == null && context.enabled('SELinuxMountReadWriteOncePod')) {
    errors.required(specPath.child('seLinuxMount'));
  }
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period != null && period < 10) {
    const detail = 'must be greater than or equal to 10 seconds';
    errors.invalid(specPath.child('nodeAllocatableUpdatePeriodSeconds'), period, detail);
  }
  if (spec.serviceAccountTokenInSecrets != null && (spec.tokenRequests ?? []).length === 0) {
    errors.invalid(
      specPath.child('serviceAccountTokenInSecrets'),
      spec.serviceAccountTokenInSecrets,
      'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    );
  }
  if (old !== undefined) {
    immutable(spec.attachRequired, old.spec.attachRequired, specPath.child('attachedRequired'), errors);
    const stored = old.spec.volumeLifecycleModes;
    immutable(spec.volumeLifecycleModes, stored, specPath.child('volumeLifecycleModes'), errors);
  }
  return errors;
}

const expirationMin = 600;
const expirationMax = 2 ** 32;

function validateTokenRequests(requests: readonly TokenRequest[], path: FieldPath, errors: Errors): void {
  const audiences = new Set<string>();
  for (const [index, { audience = '', expirationSeconds: seconds }] of requests.entries()) {
    const at = path.index(index);
    if (audiences.has(audience)) {
      errors.duplicate(at.child('audience'), audience);
      continue;
    }
    audiences.add(audience);
    if (seconds == null) continue;
    if (seconds < expirationMin) {
      const detail = 'may not specify a duration less than 10 minutes';
      errors.invalid(at.child('expirationSeconds'), seconds, detail);
    }
    if (seconds > expirationMax) {
      const detail = 'may not specify a duration larger than 2^32 seconds';
      errors.invalid(at.child('expirationSeconds'), seconds, detail);
    }
  }
}

type NodeObject = SpecObject<{ drivers?: CSINodeDriver[] | null }>;

export function validateCsiNode(
  { metadata, spec }: NodeObject,
  old: NodeObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, rules, errors);
  const path = specPath.child('drivers');
  const drivers = spec?.drivers ?? [];
  const names = new Set<string>();
  for (const [index, driver] of drivers.entries()) {
    validateNodeDriver(driver, names, path.index(index), errors);
  }
  const isCountMutable = context.enabled('MutableCSINodeAllocatableCount');
  const fixedPart = (driver: CSINodeDriver): CSINodeDriver => {
    if (!isCountMutable) return driver;
    const { allocatable: _allocatable, ...fixed } = driver;
    return withEmptiedOf(driver, fixed);
  };
  const byName = Map.groupBy(drivers, ({ name }) => name);
  for (const stored of old?.spec?.drivers ?? []) {
    for (const driver of byName.get(stored.name) ?? []) {
      if (goEqual(CSINodeDriver, fixedPart(driver), fixedPart(stored), 'semantic')) continue;
      errors.invalid(path, goStruct(CSINodeDriver, fixedPart(driver)), immutableMessage);
    }
  }
  return errors;
}

function validateNodeDriver(
  { name, nodeID = '', topologyKeys, allocatable }: CSINodeDriver,
  names: Set<string>,
  path: FieldPath,
  errors: Errors,
): void {
  validateDriverName(name ?? '', path.child('name'), errors);
  if (nodeID === '') errors.required(path.child('nodeID'));
  if (nodeID.length > nodeIdLengthMax) {
    const detail = `must be ${nodeIdLengthMax} characters or less`;
    errors.invalid(path.child('nodeID'), nodeID, detail);
  }
  notNegative(allocatable?.count, path.child('allocatable'), 'count', errors);
  if (names.has(name)) errors.duplicate(path.child('name'), name);
  names.add(name);
  const keys = new Set<string>();
  for (const key of topologyKeys ?? []) {
    if (key === '') errors.required(path);
    if (keys.has(key)) errors.duplicate(path, key);
    keys.add(key);
    check(key, path, checkQualifiedName, errors);
  }
}

interface Capacity extends MetaObject {
  nodeTopology?: LabelSelector | null;
  storageClassName?: string;
  capacity?: string | null;
}

export function validateCapacity(capacity: Capacity, old: Capacity | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(capacity.metadata, { namespaced: true, name: subdomainName }, errors);
  const path = pathOf('nodeTopology');
  const { nodeTopology, storageClassName = '', capacity: amount } = capacity;
  const allowInvalidValues =
    old?.nodeTopology != null && validateLabelSelector(old.nodeTopology, path).length > 0;
  errors.push(...validateLabelSelector(nodeTopology, path, { allowInvalidValues }));
  check(storageClassName, pathOf('storageClassName'), checkDnsSubdomain, errors);
  if (amount != null) notNegativeQuantity(amount, pathOf('capacity'), errors);
  if (old === undefined) return errors;
  validateObjectMetaUpdate(capacity.metadata, old.metadata, errors);
  const isKept = (nodeTopology == null) === (old.nodeTopology == null);
  if (!isKept || !goEqual(LabelSelector, nodeTopology, old.nodeTopology, 'semantic')) {
    errors.invalid(path, nodeTopology ?? null, immutableMessage);
  }
  immutable(storageClassName, old.storageClassName, 'storageClassName', errors);
  return errors;
}
