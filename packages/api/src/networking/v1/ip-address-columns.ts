import { formatGroupResource } from '@coxswain/apimachinery';
import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

interface ParentReference {
  group?: string;
  resource?: string;
  namespace?: string;
  name?: string;
}

export const addressColumns: readonly Column<MetaObject & { spec: { parentRef?: ParentReference } }>[] = [
  nameColumn,
  column('ParentRef', ({ spec }) => {
    const parent = spec?.parentRef;
    if (parent == null) return '<none>';
    const resource = formatGroupResource({
      group: parent.group ?? '',
      resource: parent.resource ?? '',
    }).toLowerCase();
    return `${parent.namespace ? `${resource}/${parent.namespace}` : resource}/${parent.name ?? ''}`;
  }),
  { ...ageColumn, isUndeclared: true },
];
