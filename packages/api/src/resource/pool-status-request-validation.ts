/** Validates ResourcePoolStatusRequests, whose rules upstream declares with its types. */

import {
  byteLength,
  checkLongName,
  checkLongNameCaseless,
  semanticDeepEqual,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, immutableMessage, pathOf, Errors } from '../meta/checks.ts';
import { validateConditions } from '../meta/condition-validation.ts';
import { goStruct } from '../meta/go-struct.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import { poolNameLengthMax } from './name-validation.ts';
import { ResourcePoolStatusRequestStatus, type PoolStatus } from './v1alpha3/pool-status.ts';
import type { ResourcePoolStatusRequestSpec } from './v1alpha3/resource-pool-status-request-spec.ts';

interface Request extends SpecObject<ResourcePoolStatusRequestSpec> {
  status?: ResourcePoolStatusRequestStatus | null;
}

const limitMax = 1000;
const poolsMax = 1000;
const conditionsMax = 10;
const messageLengthMax = 256;
const specPath = pathOf('spec');

export function validatePoolStatusRequest(
  { metadata, spec }: Request,
  old: Request | undefined,
): FieldError[] {
  const errors = new Errors();
  validateMeta(metadata, old?.metadata, { namespaced: false, name: subdomainName }, errors);
  if (old !== undefined) {
    if (!semanticDeepEqual(spec, old.spec)) errors.invalid(specPath, null, immutableMessage);
    return errors;
  }
  validateDriver(spec.driver ?? '', specPath.child('driver'), errors);
  if (spec.poolName != null) validatePool(spec.poolName, specPath.child('poolName'), errors);
  const path = specPath.child('limit');
  if (spec.limit == null) errors.required(path);
  else {
    if (spec.limit > limitMax) {
      errors.invalid(path, spec.limit, `must be less than or equal to ${limitMax}`);
    }
    atLeast(1, spec.limit, path, errors);
  }
  return errors;
}

export function validatePoolStatusRequestStatus({ metadata, status }: Request, old: Request): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  const path = pathOf('status');
  if (old.status != null) {
    if (!semanticDeepEqual(status, old.status)) {
      const printed = status == null ? null : goStruct(ResourcePoolStatusRequestStatus, status);
      errors.invalid(path, printed, immutableMessage);
    }
  } else if (status != null) validateConditions(status.conditions, path.child('conditions'), errors);
  if (status != null) validateNewStatus(status, old.status, path, errors);
  return errors;
}

/** Unchanged members are not validated. */
function validateNewStatus(
  status: ResourcePoolStatusRequestStatus,
  old: ResourcePoolStatusRequestStatus | null | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  const isKept = (name: keyof ResourcePoolStatusRequestStatus): boolean =>
    old != null && semanticDeepEqual(status[name], old[name]);
  const { poolCount, pools = [], conditions = [] } = status;
  if (!isKept('poolCount')) {
    if (poolCount == null) errors.required(path.child('poolCount'));
    else atLeast(0, poolCount, path.child('poolCount'), errors);
  }
  if (!isKept('pools')) {
    const at = path.child('pools');
    if (pools.length > poolsMax) errors.tooMany(at, pools.length, poolsMax);
    else for (const [index, pool] of pools.entries()) validatePoolStatus(pool, at.index(index), errors);
  }
  if (isKept('conditions')) return;
  const at = path.child('conditions');
  if (conditions.length > conditionsMax) {
    errors.tooMany(at, conditions.length, conditionsMax);
    return;
  }
  const seen = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    if (seen.has(condition.type)) errors.duplicate(at.index(index), condition);
    seen.add(condition.type);
  }
}

/** The minimum of each counter. */
const counters = {
  resourceSliceCount: 1,
  totalDevices: 0,
  allocatedDevices: 0,
  availableDevices: 0,
  unavailableDevices: 0,
} as const;

function validatePoolStatus(pool: PoolStatus, path: FieldPath, errors: Errors): void {
  validateDriver(pool.driver ?? '', path.child('driver'), errors);
  if (!pool.poolName) errors.required(path.child('poolName'));
  else validatePool(pool.poolName, path.child('poolName'), errors);
  if (!pool.generation) errors.required(path.child('generation'));
  else atLeast(0, Number(pool.generation), path.child('generation'), errors);
  for (const name of Object.keys(counters) as (keyof typeof counters)[]) {
    const value = pool[name];
    if (value != null) atLeast(counters[name], value, path.child(name), errors);
  }
  if (pool.nodeName != null) check(pool.nodeName, path.child('nodeName'), checkLongName, errors);
  const message = pool.validationError;
  if (message != null && byteLength(message) > messageLengthMax) {
    errors.tooLong(path.child('validationError'), messageLengthMax);
  }
}

function validateDriver(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') errors.required(path);
  else check(name, path, checkLongNameCaseless, errors);
}

function validatePool(name: string, path: FieldPath, errors: Errors): void {
  if (byteLength(name) > poolNameLengthMax) errors.tooLong(path, poolNameLengthMax);
  for (const [index, part] of name.split('/').entries()) {
    if (part === '') errors.invalid(path, name, `segment ${index}: must not be empty`);
    else check(part, path, (text) => checkLongName(text).map((each) => `segment ${index}: ${each}`), errors);
  }
}

function atLeast(lowest: number, value: number, path: FieldPath, errors: Errors): void {
  if (value >= lowest) return;
  errors.invalid(path, value, `must be greater than or equal to ${lowest}`);
}
