import {
  checkQualifiedName,
  compareQuantities,
  forbiddenError,
  parseQuantity,
  PrintedValue,
  quantityValue,
  type FieldError,
} from '@coxswain/apimachinery';
import { goEqual, withEmptiedOf } from '@coxswain/schema';
import { check, immutableMessage, pathOf, Errors } from '../../../meta/checks.ts';
import { goStructDiff } from '../../../meta/go-struct.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import {
  subdomainName,
  validateMeta,
  validateObjectMetaUpdate,
} from '../../../meta/object-meta-validation.ts';
import { validateClaimSpec } from './persistent-volume-claim-spec-validation.ts';
import { PersistentVolumeClaimSpec } from '../persistent-volume-claim-spec.ts';
import type { PersistentVolumeClaimStatus } from '../persistent-volume-claim-status.ts';
import { isNativeResource } from '../resource-list.ts';

type ClaimObject = StatusObject<PersistentVolumeClaimSpec, PersistentVolumeClaimStatus>;

const specPath = pathOf('spec');
const rules = { namespaced: true, name: subdomainName, whole: true };

export function validateClaim(claim: ClaimObject, old: ClaimObject | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(claim.metadata, old?.metadata, rules, errors);
  validateClaimSpec(claim.spec, specPath, errors);
  if (old !== undefined) validateUpdate(claim, old, errors);
  return errors;
}

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** A claim's spec is immutable, except that a bound claim may grow and change its attributes. */
function validateUpdate(claim: ClaimObject, old: ClaimObject, errors: Errors): void {
  const rest: PersistentVolumeClaimSpec = withEmptiedOf(claim.spec, { ...claim.spec });
  const before: PersistentVolumeClaimSpec = { ...old.spec };
  if (!before.volumeName) before.volumeName = rest.volumeName;
  const oldAnnotation = old.metadata.annotations?.[classAnnotation];
  const annotation = claim.metadata.annotations?.[classAnnotation];
  const className = claim.spec.storageClassName;
  const movesToField =
    oldAnnotation !== undefined &&
    old.spec.storageClassName == null &&
    className === oldAnnotation &&
    (annotation === undefined || annotation === oldAnnotation);
  if (movesToField) delete rest.storageClassName;
  else {
    if ((annotation ?? '') !== (oldAnnotation ?? '')) {
      errors.invalid(pathOf('metadata', 'annotations', classAnnotation), annotation ?? '', immutableMessage);
    }
    const isFirst = className != null && old.spec.storageClassName == null;
    if (isFirst && (oldAnnotation === undefined || className === oldAnnotation)) {
      rest.storageClassName = before.storageClassName;
    }
  }
  if (claim.status?.phase === 'Bound') {
    if (rest.resources?.requests != null) {
      const storage = old.spec.resources?.requests?.['storage'];
      const requests = { ...rest.resources.requests };
      if (storage !== undefined) requests['storage'] = storage;
      rest.resources = { ...rest.resources, requests };
    }
    rest.volumeAttributesClassName = before.volumeAttributesClassName;
  }
  if (!goEqual(PersistentVolumeClaimSpec, rest, before, 'semantic')) {
    const diff = goStructDiff(PersistentVolumeClaimSpec, before, rest);
    errors.forbidden(
      specPath,
      `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diff}`,
    );
  }
  validateSize(claim, old, errors);
  if ((claim.spec.volumeMode ?? null) !== (old.spec.volumeMode ?? null)) {
    errors.invalid('volumeMode', claim.spec.volumeMode ?? new PrintedValue('null'), immutableMessage);
  }
  validateAttributesClass(claim, old, errors);
}

/** It may shrink again while an expansion has not happened yet. */
function validateSize(claim: ClaimObject, old: ClaimObject, errors: Errors): void {
  const storageOf = (list: Record<string, string> | undefined) => parseQuantity(list?.['storage'] ?? '0');
  const size = storageOf(claim.spec.resources?.requests);
  if (compareQuantities(size, storageOf(old.spec.resources?.requests)) >= 0) return;
  if (compareQuantities(size, storageOf(old.status?.capacity)) > 0) return;
  errors.forbidden(
    specPath.child('resources', 'requests', 'storage'),
    'field can not be less than status.capacity',
  );
}

const attributesClassIsOff: FieldError = {
  ...forbiddenError(
    specPath.child('volumeAttributesClassName'),
    'update is forbidden when the VolumeAttributesClass feature gate is disabled',
  ),
  unless: 'VolumeAttributesClass',
};

function validateAttributesClass(claim: ClaimObject, old: ClaimObject, errors: Errors): void {
  const now = claim.spec.volumeAttributesClassName;
  if ((now ?? null) === (old.spec.volumeAttributesClassName ?? null)) return;
  errors.push(attributesClassIsOff);
  if (old.status?.currentVolumeAttributesClassName == null || now) return;
  const target = now == null ? 'nil' : 'empty string';
  errors.forbidden(
    specPath.child('volumeAttributesClassName'),
    `update to ${target} is forbidden when status.currentVolumeAttributesClassName is not nil`,
  );
}

const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

export function validateClaimStatus(claim: ClaimObject, old: ClaimObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(claim.metadata, old.metadata, errors);
  if ((claim.spec.accessModes ?? []).length === 0) errors.required(pathOf('Spec', 'accessModes'));
  const statusPath = pathOf('status');
  const { capacity, allocatedResources, allocatedResourceStatuses } = claim.status;
  for (const [name, amount] of Object.entries(capacity ?? {}).sort()) {
    validateAmount(amount, statusPath.child('capacity').key(name), errors);
  }
  for (const [name, state] of Object.entries(allocatedResourceStatuses ?? {}).sort()) {
    const path = statusPath.child('allocatedResourceStatuses');
    validateResourceKey(name, path, errors);
    if (!resizeStates.includes(state)) errors.notSupported(path, name, resizeStates);
  }
  for (const [name, amount] of Object.entries(allocatedResources ?? {}).sort()) {
    const path = statusPath.child('allocatedResources');
    if (validateResourceKey(name, path, errors)) validateAmount(amount, path.key(name), errors);
  }
  return errors;
}

export function validateAmount(amount: string, path: ReturnType<typeof pathOf>, errors: Errors): void {
  const value = quantityValue(parseQuantity(amount));
  if (value < 0) errors.invalid(path, value, 'must be a valid resource quantity');
}

function validateResourceKey(name: string, path: ReturnType<typeof pathOf>, errors: Errors): boolean {
  const errorsBefore = errors.length;
  check(name, path, checkQualifiedName, errors);
  if (errors.length === errorsBefore && isNativeResource(name) && name !== 'storage') {
    errors.notSupported(path, name, ['storage']);
  }
  return errors.length === errorsBefore;
}
