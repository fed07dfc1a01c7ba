import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn, wideColumn } from '../../meta/columns.ts';
import type { MetaObject } from '../../meta/kind-object.ts';
import type { RoleRef } from './role-ref.ts';
import type { Subject } from './subject.ts';

type BindingObject = MetaObject & { roleRef: RoleRef; subjects?: Subject[] };

export const bindingColumns: readonly Column<BindingObject>[] = [
  nameColumn,
  column('Role', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
  ageColumn,
  wideColumn('Users', (binding) => subjectsOf(binding, 'User', ({ name }) => name)),
  wideColumn('Groups', (binding) => subjectsOf(binding, 'Group', ({ name }) => name)),
  wideColumn('ServiceAccounts', (binding) =>
    subjectsOf(binding, 'ServiceAccount', ({ namespace, name }) => `${namespace ?? ''}/${name}`),
  ),
];

const subjectsOf = ({ subjects }: BindingObject, kind: string, text: (subject: Subject) => string): string =>
  (subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(text)
    .join(', ');
