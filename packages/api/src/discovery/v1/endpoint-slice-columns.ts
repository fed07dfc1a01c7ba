import type { Column } from '@coxswain/schema';
import { ageColumn, column, listWithMore, nameColumn } from '../../meta/columns.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

interface SliceObject extends MetaObject {
  addressType: string;
  endpoints: { addresses: string[] }[];
  ports: { name?: string; port?: number }[];
}

export const sliceColumns: readonly Column<SliceObject>[] = [
  nameColumn,
  column('AddressType', ({ addressType }) => addressType),
  column('Ports', ({ ports }) =>
    listWithMore(
      (ports ?? []).map(({ port, name }) => (port == null ? (name ?? '*') : `${port}`)),
      shownMax,
      '<unset>',
    ),
  ),
  column('Endpoints', ({ endpoints }) =>
    listWithMore(
      (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
      shownMax,
      '<unset>',
    ),
  ),
  ageColumn,
];

const shownMax = 3;
