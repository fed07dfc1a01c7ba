/** Validates object metadata, and which of it an update may change. */

import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  checkPathSegmentPrefix,
  checkQualifiedName,
  checkLabelValue,
  checkLongName,
  fieldManagerErrors,
  goQuote,
  isPlainFieldManager,
  parseApiVersion,
  type FieldPath,
  type NameCheck,
} from '@coxswain/apimachinery';
import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import type { ObjectMeta } from '@coxswain/schema';
import { check, immutable, notNegative, pathOf, type Errors } from './checks.ts';

/** A kind's rule for names; a prefix is a generateName, to which a suffix is appended. */
export type NameRule = (name: string, isPrefix: boolean) => readonly string[];

export const subdomainName: NameRule = (name, isPrefix) =>
  checkDnsSubdomain(isPrefix ? maskTrailingDash(name) : name);
/** The rule of newer checks, which don't check a prefix. */
export const longName: NameRule = (name, isPrefix) => (isPrefix ? [] : checkLongName(name));
export const labelName: NameRule = (name, isPrefix) =>
  checkDnsLabel(isPrefix ? maskTrailingDash(name) : name);
export const dns1035Name: NameRule = (name, isPrefix) =>
  checkDns1035Label(isPrefix ? maskTrailingDash(name) : name);
export const pathSegmentName: NameRule = (name, isPrefix) =>
  isPrefix ? checkPathSegmentPrefix(name) : checkPathSegment(name);

export interface MetaRules {
  readonly namespaced: boolean;
  readonly name: NameRule;
  /** Whether finalizers without a domain must be Kubernetes' own, as for core's kinds and a few more. */
  readonly coreFinalizers?: boolean;
}

export const metadataPath = pathOf('metadata');

/** For a new object, and for every object with the generic rules. */
export function validateObjectMeta(
  meta: ObjectMeta,
  rules: MetaRules,
  errors: Errors,
  path: FieldPath = metadataPath,
): void {
  if (meta.generateName)
    check(meta.generateName, path.child('generateName'), (name) => rules.name(name, true), errors);
  if (!meta.name) errors.required(path.child('name'), 'name or generateName is required');
  else check(meta.name, path.child('name'), (name) => rules.name(name, false), errors);
  validateNamespace(meta.namespace ?? '', rules.namespaced, path, errors);
  notNegative(meta.generation, path, 'generation', errors);
  validateLabels(meta.labels, path, 'labels', errors);
  validateAnnotations(meta.annotations, path, errors);
  validateOwners(meta, path, errors);
  validateFinalizers(meta.finalizers ?? [], path, errors);
  validateManagedFields(meta, path, errors);
  if (rules.coreFinalizers !== false) validateCoreFinalizers(meta.finalizers ?? [], path, errors);
}

/** What an update may not change in metadata; kinds check it again, so errors may occur twice, as upstream. */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  errors: Errors,
  coreFinalizers = true,
): void {
  const path = metadataPath;
  if (old.deletionTimestamp != null) {
    const known = new Set(old.finalizers ?? []);
    const added = [...new Set(meta.finalizers ?? [])].filter((name) => !known.has(name)).sort();
    if (added.length > 0) {
      errors.forbidden(
        path.child('finalizers'),
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map(goQuote).join(', ')}}`,
      );
    }
  }
  if (!meta.resourceVersion) {
    errors.invalid(path.child('resourceVersion'), '', 'must be specified for an update');
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.invalid(path.child('generation'), meta.generation ?? 0, 'must not be decremented');
  }
  for (const name of identity) {
    const [value, before] = [meta[name] ?? zeroOf(name), old[name] ?? zeroOf(name)];
    if (value !== before) immutable(value, before, path.child(name), errors);
  }
  validateLabels(meta.labels, path, 'labels', errors);
  validateAnnotations(meta.annotations, path, errors);
  validateOwners(meta, path, errors);
  validateManagedFields(meta, path, errors);
  if (coreFinalizers) validateCoreFinalizers(meta.finalizers ?? [], path, errors);
}

const identity = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

const zeroOf = (name: (typeof identity)[number]): string | null =>
  name === 'name' || name === 'namespace' || name === 'uid' ? '' : null;

/** For pod templates: names and the rest are not validated. */
export function validateTemplateMeta(meta: ObjectMeta | undefined, path: FieldPath, errors: Errors): void {
  validateAnnotations(meta?.annotations, path, errors);
  validateLabels(meta?.labels, path, 'labels', errors);
}

export function validateLabels(
  labels: Readonly<Record<string, string>> | null | undefined,
  parent: FieldPath,
  name: string,
  errors: Errors,
): void {
  for (const key in labels) {
    if (!isPlainLabel(key)) check(key, parent.child(name), checkQualifiedName, errors);
    if (!isPlainLabel(labels[key]!)) check(labels[key]!, parent.child(name), checkLabelValue, errors);
  }
}

/** The common case, decided without allocations. */
const isPlainLabel = (text: string): boolean =>
  text.length <= 63 && /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text);

const annotationsSizeMax = 256 * 1024;

/** Keys are checked in lower case. Their order is random upstream. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | null | undefined,
  parent: FieldPath,
  errors: Errors,
): void {
  let length = 0;
  for (const key in annotations) {
    const messages = isPlainLabel(key) ? none : checkQualifiedName(key.toLowerCase());
    for (const message of messages) errors.invalid(parent.child('annotations'), key, message);
    length += key.length + annotations[key]!.length;
  }
  if (length * 3 > annotationsSizeMax && byteCount(annotations!) > annotationsSizeMax) {
    errors.tooLong(parent.child('annotations'), annotationsSizeMax);
  }
}

const none: readonly string[] = [];

const encoder = new TextEncoder();

function byteCount(members: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const key in members) bytes += encoder.encode(key).length + encoder.encode(members[key]).length;
  return bytes;
}

function validateNamespace(namespace: string, namespaced: boolean, path: FieldPath, errors: Errors): void {
  if (!namespaced) {
    if (namespace !== '') errors.forbidden(path.child('namespace'), 'not allowed on this type');
  } else if (namespace === '') {
    errors.required(path.child('namespace'));
  } else {
    check(namespace, path.child('namespace'), checkDnsLabel, errors);
  }
}

function validateOwners(meta: ObjectMeta, parent: FieldPath, errors: Errors): void {
  const owners = meta.ownerReferences ?? [];
  if (owners.length === 0) return;
  const path = parent.child('ownerReferences');
  let controller = '';
  for (const owner of owners) {
    const { group, version } = parseApiVersion(owner.apiVersion);
    if (version === '')
      errors.invalid(path.child('apiVersion'), owner.apiVersion, 'version must not be empty');
    for (const name of ['kind', 'name', 'uid'] as const) {
      if (!owner[name]) errors.invalid(path.child(name), '', 'must not be empty');
    }
    if (group === '' && version === 'v1' && owner.kind === 'Event') {
      errors.invalid(path, owner, '/v1, Kind=Event is disallowed from being an owner');
    }
    if (!owner.controller) continue;
    const found = `${owner.kind}/${owner.name}`;
    if (controller === '') controller = found;
    else {
      errors.invalid(
        path,
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${found}`,
      );
    }
  }
}

function validateFinalizers(finalizers: readonly string[], parent: FieldPath, errors: Errors): void {
  for (const name of finalizers) check(name, parent.child('finalizers'), checkQualifiedName, errors);
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.invalid(
      parent.child('finalizers'),
      finalizers,
      'finalizer orphan and foregroundDeletion cannot be both set',
    );
  }
}

const knownFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** A name without a domain must be one of Kubernetes' own. */
export function validateCoreFinalizers(
  finalizers: readonly string[],
  parent: FieldPath,
  errors: Errors,
): void {
  for (const [index, name] of finalizers.entries()) {
    if (name.includes('/') || knownFinalizers.includes(name)) continue;
    errors.invalid(
      parent.child('finalizers').index(index),
      name,
      'name is neither a standard finalizer name nor is it fully qualified',
    );
  }
}

const subresourceLengthMax = 256;

function validateManagedFields({ managedFields }: ObjectMeta, parent: FieldPath, errors: Errors): void {
  for (const [index, { manager, operation, fieldsType, subresource }] of (managedFields ?? []).entries()) {
    const at = (): FieldPath => parent.child('managedFields').index(index);
    if (operation !== 'Apply' && operation !== 'Update')
      errors.invalid(at().child('operation'), operation ?? '', 'must be `Apply` or `Update`');
    if (fieldsType && fieldsType !== 'FieldsV1')
      errors.invalid(at().child('fieldsType'), fieldsType, 'must be `FieldsV1`');
    if (!isPlainFieldManager(manager ?? ''))
      appendAll(errors, fieldManagerErrors(manager ?? '', at().child('manager')));
    if ((subresource ?? '').length > subresourceLengthMax)
      errors.tooLong(at().child('subresource'), subresourceLengthMax);
  }
}

/** As upstream does it, which accepts any two final characters before the dash. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

export type { NameCheck };

/**
 * A kind's own validation of metadata: the rules of a new object, or those of an update; `whole` for kinds that
 * validate an updated object as a new one, too.
 */
export function validateMeta(
  meta: ObjectMeta,
  old: ObjectMeta | undefined,
  rules: MetaRules & { readonly whole?: boolean },
  errors: Errors,
): void {
  if (old !== undefined) validateObjectMetaUpdate(meta, old, errors, rules.coreFinalizers !== false);
  if (old === undefined || rules.whole) validateObjectMeta(meta, rules, errors);
}
