import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { StatusObject } from '../../meta/kind-object.ts';

type SchemaObject = StatusObject<
  {
    priorityLevelConfiguration: { name: string };
    matchingPrecedence: number;
    distinguisherMethod?: { type: string };
  },
  { conditions?: { type?: string; status?: string }[] }
>;

export const flowSchemaColumns: readonly Column<SchemaObject>[] = [
  nameColumn,
  column('PriorityLevel', ({ spec }) => spec.priorityLevelConfiguration?.name ?? ''),
  column('MatchingPrecedence', ({ spec }) => spec.matchingPrecedence ?? 0),
  column('DistinguisherMethod', ({ spec }) => spec.distinguisherMethod?.type ?? '<none>'),
  ageColumn,
  column(
    'MissingPL',
    ({ status }) => (status?.conditions ?? []).find(({ type }) => type === 'Dangling')?.status ?? '?',
  ),
];
