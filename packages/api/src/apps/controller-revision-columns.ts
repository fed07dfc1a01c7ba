import { formatGroupKind, parseApiVersion } from '@coxswain/apimachinery';
import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../meta/columns.ts';
import type { MetaObject } from '../meta/kind-object.ts';

export const revisionColumns: readonly Column<MetaObject & { revision: number }>[] = [
  nameColumn,
  column('Controller', ({ metadata }) => {
    const owner = (metadata.ownerReferences ?? []).find(({ controller }) => controller);
    if (owner === undefined) return '<none>';
    const { group } = parseApiVersion(owner.apiVersion);
    return `${formatGroupKind({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
  }),
  column('Revision', ({ revision }) => revision),
  ageColumn,
];
