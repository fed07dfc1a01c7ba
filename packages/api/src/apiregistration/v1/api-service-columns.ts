import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { StatusObject } from '../../meta/kind-object.ts';

type ServiceObject = StatusObject<
  { service?: { namespace?: string; name?: string } | null },
  { conditions?: { type: string; status: string; reason?: string }[] }
>;

export const apiServiceColumns: readonly Column<ServiceObject>[] = [
  nameColumn,
  column('Service', ({ spec }) =>
    spec?.service == null ? 'Local' : `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`,
  ),
  column('Available', ({ status }) => {
    const available = (status?.conditions ?? []).find(({ type }) => type === 'Available');
    if (available === undefined) return 'Unknown';
    return available.status !== 'True' && available.reason
      ? `${available.status} (${available.reason})`
      : available.status;
  }),
  ageColumn,
];
