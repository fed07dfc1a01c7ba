import { formatGroupResource } from '@coxswain/apimachinery';
import type { Column } from '@coxswain/schema';
import { column, nameColumn } from '../../meta/columns.ts';
import type { StatusObject } from '../../meta/kind-object.ts';

type MigrationObject = StatusObject<
  { resource: { group: string; resource: string } },
  { conditions?: { type: string; status: string }[] }
>;

const states = ['Running', 'Failed', 'Succeeded'];

export const migrationColumns: readonly Column<MigrationObject>[] = [
  column('Name', nameColumn.cell),
  column('Resource', ({ spec }) => formatGroupResource(spec.resource)),
  column(
    'Status',
    ({ status }) =>
      (status?.conditions ?? []).findLast(
        ({ type, status: holds }) => holds === 'True' && states.includes(type),
      )?.type ?? 'Unknown',
  ),
];
