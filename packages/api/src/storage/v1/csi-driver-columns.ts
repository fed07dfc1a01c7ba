import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { SpecObject } from '../../meta/kind-object.ts';

type DriverObject = SpecObject<{
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  storageCapacity?: boolean;
  requiresRepublish?: boolean;
  tokenRequests?: { audience: string }[];
  volumeLifecycleModes?: string[];
}>;

export const driverColumns: readonly Column<DriverObject>[] = [
  nameColumn,
  column('AttachRequired', ({ spec }) => spec.attachRequired ?? true, 'boolean'),
  column('PodInfoOnMount', ({ spec }) => spec.podInfoOnMount ?? false, 'boolean'),
  column('StorageCapacity', ({ spec }) => spec.storageCapacity ?? false, 'boolean'),
  column(
    'TokenRequests',
    ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
  ),
  column('RequiresRepublish', ({ spec }) => spec.requiresRepublish ?? false, 'boolean'),
  column('Modes', ({ spec }) => (spec.volumeLifecycleModes ?? []).join(',') || '<none>'),
  ageColumn,
];
