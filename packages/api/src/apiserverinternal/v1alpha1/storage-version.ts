import * as t from '@coxswain/schema';
import { ageColumn, column, listWithMore, nameColumn } from '../../meta/columns.ts';
import { validateStorageVersion, validateStorageVersionStatus } from '../storage-version-validation.ts';
import { StorageVersionStatus } from './storage-version-status.ts';

export const StorageVersionSpec = t.struct('apiserverinternal/v1alpha1.StorageVersionSpec', {});
export interface StorageVersionSpec extends t.Static<typeof StorageVersionSpec> {}

export const StorageVersion = t.kind(
  'apiserverinternal/v1alpha1.StorageVersion',
  'internal.apiserver.k8s.io/v1alpha1',
  { plural: 'storageversions', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { required: true, go: 'ObjectMeta' }),
    spec: t.always(2, StorageVersionSpec),
    status: t.always(3, StorageVersionStatus),
  },
  {
    validate: validateStorageVersion,
    validateStatus: validateStorageVersionStatus,
    columns: [
      nameColumn,
      column('CommonEncodingVersion', ({ status }) => status?.commonEncodingVersion ?? '<unset>'),
      column('StorageVersions', ({ status }) =>
        listWithMore(
          (status?.storageVersions ?? []).map(
            ({ apiServerID, encodingVersion }) => `${apiServerID ?? ''}=${encodingVersion ?? ''}`,
          ),
          shownMax,
          '<unset>',
        ),
      ),
      ageColumn,
    ],
  },
);
export interface StorageVersion extends t.Static<typeof StorageVersion> {}

const shownMax = 3;
