/** Validates specs of claims: of claims themselves, of templates in StatefulSets, and of ephemeral volumes in pods. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  compareQuantities,
  invalidError,
  parseQuantity,
  PrintedValue,
  validateLabelSelector,
  zeroQuantity,
  type FieldPath,
} from '@coxswain/apimachinery';
import { wasSentEmpty, type ObjectMeta } from '@coxswain/schema';
import { check, notPositiveMessage, requireMember, type Errors } from '../../../meta/checks.ts';
import { validateAnnotations, validateLabels } from '../../../meta/object-meta-validation.ts';
import type { PersistentVolumeClaimSpec } from '../persistent-volume-claim-spec.ts';

/** Sorted, as errors list them. */
export const accessModes: readonly string[] = [
  'ReadOnlyMany',
  'ReadWriteMany',
  'ReadWriteOnce',
  'ReadWriteOncePod',
];
export const volumeModes: readonly string[] = ['Block', 'Filesystem'];

export function validateClaimTemplate(
  template: { metadata?: ObjectMeta; spec: PersistentVolumeClaimSpec },
  path: FieldPath,
  errors: Errors,
): void {
  const metaPath = path.child('metadata');
  validateAnnotations(template.metadata?.annotations, metaPath, errors);
  validateLabels(template.metadata?.labels, metaPath, 'labels', errors);
  for (const member of ownedByServer) {
    if (!isSet(template.metadata, member)) continue;
    errors.forbidden(metaPath.child(member === 'uid' ? 'uID' : member), 'cannot be set');
  }
  validateClaimSpec(template.spec, path.child('spec'), errors);
}

/** Metadata that a template must not set for its claims, in declared order. */
const ownedByServer = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;

function isSet(metadata: ObjectMeta | undefined, member: (typeof ownedByServer)[number]): boolean {
  const value = metadata?.[member];
  if (member === 'deletionGracePeriodSeconds') return value != null;
  if (value === undefined) return wasSentEmpty(metadata, member);
  return value !== null && value !== '' && value !== 0;
}

export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath, errors: Errors): void {
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.required(path.child('accessModes'), 'at least 1 access mode is required');
  if (spec.selector != null) {
    errors.push(...validateLabelSelector(spec.selector, path.child('selector')));
  }
  validateAccessModes(modes, path, errors);
  validateStorage(spec.resources?.requests?.['storage'], path, errors);
  if (spec.storageClassName)
    check(spec.storageClassName, path.child('storageClassName'), checkDnsSubdomain, errors);
  if (spec.volumeMode != null && !volumeModes.includes(spec.volumeMode)) {
    errors.notSupported(path.child('volumeMode'), spec.volumeMode, volumeModes);
  }
  validateDataSources(spec, path, errors);
  const { volumeAttributesClassName: attributesClass } = spec;
  for (const message of attributesClass ? checkDnsSubdomain(attributesClass) : []) {
    const error = invalidError(path.child('volumeAttributesClassName'), attributesClass, message);
    errors.push({ ...error, gate: 'VolumeAttributesClass' });
  }
}

export function validateAccessModes(modes: readonly string[], path: FieldPath, errors: Errors): void {
  for (const mode of modes) {
    if (!accessModes.includes(mode)) errors.notSupported(path.child('accessModes'), mode, accessModes);
  }
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode));
  if (others && modes.includes('ReadWriteOncePod')) {
    errors.forbidden(path.child('accessModes'), 'may not use ReadWriteOncePod with other access modes');
  }
}

function validateStorage(storage: string | undefined, path: FieldPath, errors: Errors): void {
  const storagePath = path.child('resources').key('storage');
  if (storage === undefined) errors.required(storagePath);
  else if (compareQuantities(parseQuantity(storage), zeroQuantity) <= 0) {
    errors.invalid(storagePath, storage, notPositiveMessage);
  }
}

interface Source {
  apiGroup?: string | null;
  kind: string;
  name: string;
  namespace?: string | null;
}

function validateDataSources(
  { dataSource, dataSourceRef }: PersistentVolumeClaimSpec,
  path: FieldPath,
  errors: Errors,
): void {
  if (dataSource != null) validateSource(dataSource, path.child('dataSource'), errors);
  if (dataSourceRef == null) return;
  validateSource(dataSourceRef, path.child('dataSourceRef'), errors);
  if ((dataSourceRef as Source).namespace) {
    check(
      (dataSourceRef as Source).namespace!,
      path.child('dataSourceRef', 'namespace'),
      checkDnsLabel,
      errors,
    );
  }
  if (dataSource == null) return;
  // Upstream's bad value is the path itself, which is printed as an empty struct.
  const wrong = (detail: string) => errors.invalid(path, new PrintedValue('{}'), detail);
  if ((dataSourceRef as Source).namespace)
    wrong('may not be specified when dataSourceRef.namespace is specified');
  else if (!isSameSource(dataSource, dataSourceRef)) wrong('must match dataSourceRef');
}

const isSameSource = (a: Source, b: Source): boolean =>
  (a.apiGroup ?? null) === (b.apiGroup ?? null) && a.kind === b.kind && a.name === b.name;

function validateSource(source: Source, path: FieldPath, errors: Errors): void {
  requireMember(source.name, path, 'name', errors);
  requireMember(source.kind, path, 'kind', errors);
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim') {
    errors.invalid(
      path,
      source.kind,
      "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
    );
  }
  if (source.apiGroup) check(source.apiGroup, path.child('apiGroup'), checkDnsSubdomain, errors);
}
