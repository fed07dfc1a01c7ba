/** Validates StorageVersionMigrations: an immutable resource, and a final outcome. */

import {
  checkDns1035Label,
  checkDnsSubdomain,
  semanticDeepEqual,
  type FieldError,
} from '@coxswain/apimachinery';
import { immutableMessage, pathOf, Errors } from '../meta/checks.ts';
import { validateConditions } from '../meta/condition-validation.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../meta/object-meta-validation.ts';
import type { StorageVersionMigrationStatus } from './v1beta1/storage-version-migration-status.ts';
import type { StorageVersionMigrationSpec } from './v1beta1/storage-version-migration-spec.ts';

type Migration = StatusObject<
  StorageVersionMigrationSpec | undefined,
  StorageVersionMigrationStatus | undefined
>;

const path = pathOf('spec', 'resource');

export function validateMigration({ metadata, spec }: Migration, old: Migration | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, { namespaced: false, name: subdomainName }, errors);
  const { resource = '', group = '' } = spec?.resource ?? {};
  const joined = (name: string, value: string, messages: readonly string[]): void => {
    if (messages.length > 0) errors.invalid(path.child(name), value, messages.join(','));
  };
  if (resource === '') errors.required(path.child('resource'), 'resource is required to be set');
  else joined('resource', resource, checkDns1035Label(resource));
  if (group !== '') joined('group', group, checkDnsSubdomain(group));
  if (old === undefined) return errors;
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  if (!semanticDeepEqual(spec, old.spec)) {
    const printed = { Resource: { Group: group, Resource: resource } };
    errors.invalid(pathOf('spec'), printed, immutableMessage);
  }
  return errors;
}

export function validateMigrationStatus({ metadata, status = {} }: Migration, old: Migration): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  const { resourceVersion = '', conditions = [] } = status;
  const versionPath = pathOf('status', 'resourceVersion');
  if (resourceVersion !== '' && !/^[1-9]\d*$/.test(resourceVersion)) {
    const detail = `resource version is not well formed: ${resourceVersion}`;
    errors.invalid(versionPath, resourceVersion, detail);
  }
  const conditionsPath = pathOf('status', 'conditions');
  validateConditions(conditions, conditionsPath, errors);
  const before = old.status?.resourceVersion ?? '';
  if (before !== '' && before !== resourceVersion) {
    errors.invalid(versionPath, resourceVersion, immutableMessage);
  }
  const wrong = (detail: string): void => void errors.invalid(conditionsPath, conditions, detail);
  const holds = (type: string): boolean => isTrue(status, type);
  if (holds('Succeeded') && holds('Failed')) {
    wrong('Both success and failed conditions cannot be true at the same time');
  }
  if (isTrue(old.status, 'Succeeded') && !holds('Succeeded')) {
    wrong('Success condition cannot be set to false once it is true');
  }
  if (isTrue(old.status, 'Failed') && !holds('Failed')) {
    wrong('Failed condition cannot be set to false once it is true');
  }
  return errors;
}

const isTrue = (status: StorageVersionMigrationStatus | undefined, wanted: string): boolean =>
  (status?.conditions ?? []).find(({ type }) => type === wanted)?.status === 'True';
