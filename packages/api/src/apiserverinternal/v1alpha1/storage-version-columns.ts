import type { Column } from '@coxswain/schema';
import { ageColumn, column, listWithMore, nameColumn } from '../../meta/columns.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

type VersionObject = MetaObject & {
  status: {
    commonEncodingVersion?: string;
    storageVersions?: { apiServerID?: string; encodingVersion?: string }[];
  };
};

export const storageVersionColumns: readonly Column<VersionObject>[] = [
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
];

const shownMax = 3;
