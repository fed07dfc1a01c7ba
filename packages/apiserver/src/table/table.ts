/** Renders objects as a Table: one row each, with the cells of the kind's columns. */
import type { KubeObject, ListMeta } from '@coxswain/apimachinery';
import { Table } from '@coxswain/api/meta/v1/table.ts';
import { PartialObjectMetadata } from '@coxswain/api/meta/v1/partial-object-metadata.ts';
import { encode, type Column, type Kind } from '@coxswain/schema';
import type { ResourceScope } from '../services/resource-scope.ts';
import { metadataAlone, type OfKind } from './partial-object.ts';
import type { TableOptions } from '../rest/table.ts';

export type Version = 'v1' | 'v1beta1';

export function tableOf(
  scope: ResourceScope,
  objects: readonly KubeObject[],
  options: TableOptions,
  version: Version,
  listMeta?: ListMeta,
): OfKind {
  const { columns } = scope.table;
  const kind = tableKinds[version];
  const nowMs = scope.services.clock.now();
  // A Table of one object has that object's version, a Table of a list the list's.
  const metadata = listMeta ?? { resourceVersion: objects[0]?.metadata.resourceVersion };
  const rows = objects.map((one) => rowOf(scope, one, options, version, nowMs));
  const object = {
    kind: 'Table',
    apiVersion: kind.apiVersion,
    metadata,
    columnDefinitions: options.noHeaders ? null : declaredColumns(columns),
    rows: objects.length === 0 && isGeneric(columns) ? null : rows,
  };
  return { kind, object: object as unknown as KubeObject };
}

const tableKinds: Readonly<Record<Version, Kind>> = {
  v1: Table as Kind,
  v1beta1: { ...(Table as Kind), version: 'v1beta1', apiVersion: 'meta.k8s.io/v1beta1' },
};

/** Upstream's generic printer writes no rows member at all if there are no rows. */
export const isGeneric = (columns: readonly Column<never>[]): boolean =>
  columns.length === 2 && columns[1]!.name === 'Created At';

export const declaredColumns = (columns: readonly Column<never>[]) =>
  columns.filter(({ isUndeclared }) => isUndeclared !== true).map(definitionOf);

const definitionOf = ({ name, type, format, description, priority }: Column<never>) => ({
  name,
  type,
  format: format ?? '',
  description: description ?? name,
  priority: priority ?? 0,
});

function rowOf(
  scope: ResourceScope,
  object: KubeObject,
  options: TableOptions,
  version: Version,
  nowMs: number,
) {
  const { columns, rowConditions } = scope.table;
  const conditions = rowConditions?.(object as never) ?? [];
  return {
    cells: columns.map(({ cell }) => cell(object as never, nowMs) ?? null),
    ...(conditions.length === 0 ? undefined : { conditions }),
    object: objectOf(scope, object, options, version),
  };
}

function objectOf(
  scope: ResourceScope,
  object: KubeObject,
  { includeObject }: TableOptions,
  version: Version,
): unknown {
  switch (includeObject) {
    case 'None':
      return undefined;
    case 'Object':
      return JSON.parse(encode(scope.kind.type, object));
    case 'Metadata':
      return JSON.parse(
        encode(PartialObjectMetadata.type, {
          kind: 'PartialObjectMetadata',
          apiVersion: `meta.k8s.io/${version}`,
          metadata: metadataAlone(object, scope.kind.behaviour),
        }),
      );
  }
}
