/**
 * A Table as JSON text, row by row: what a row shows of its object is kept beside the object, so that a list of
 * a thousand pods costs its cells and no more.
 */
import type { KubeObject, ListMeta } from '@coxswain/apimachinery';
import { PartialObjectMetadata } from '@coxswain/api/meta/v1/partial-object-metadata.ts';
import { encode } from '@coxswain/schema';
import type { Column } from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';
import type { ResourceScope } from '../resource-scope.ts';
import type { Served } from '../rest/served.ts';
import type { TableOptions } from '../rest/table.ts';
import { definitionOf, isGeneric } from './table.ts';
import type { Version } from './table.ts';

export interface TableRequest {
  readonly scope: ResourceScope;
  readonly options: TableOptions;
  readonly version: Version;
  /** The object in the endpoint's version. */
  readonly objectOf: (served: Served) => KubeObject;
  /** The object's JSON in the endpoint's version. */
  readonly jsonOf: (served: Served) => string;
}

/** @param listMeta of a list; a Table of one object has that object's version */
export function tableJson(
  request: TableRequest,
  items: readonly Served[],
  listMeta: ListMeta | undefined,
): string {
  const { scope, options, version } = request;
  const { columns } = scope.table;
  const nowMs = scope.services.clock.now();
  const meta = listMeta ?? { resourceVersion: items[0]?.object.metadata.resourceVersion };
  const definitions = options.noHeaders ? 'null' : definitionsOf(columns);
  const rows = items.map((served) => rowOf(request, served, nowMs)).join(',');
  const written = items.length === 0 && isGeneric(columns) ? 'null' : `[${rows}]`;
  return (
    `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":${JSON.stringify(meta)},` +
    `"columnDefinitions":${definitions},"rows":${written}}`
  );
}

const definitionTexts = new WeakMap<readonly Column<never>[], string>();

function definitionsOf(columns: readonly Column<never>[]): string {
  let text = definitionTexts.get(columns);
  if (text === undefined) definitionTexts.set(columns, (text = writeAny(columns.map(definitionOf))));
  return text;
}

function rowOf(request: TableRequest, served: Served, nowMs: number): string {
  const { columns, rowConditions } = request.scope.table;
  const object = request.objectOf(served) as never;
  const cells = writeAny(columns.map(({ cell }) => cell(object, nowMs) ?? null));
  const conditions = rowConditions?.(object) ?? [];
  const shown = conditions.length === 0 ? '' : `"conditions":${writeAny(conditions)},`;
  return `{"cells":${cells},${shown}"object":${shownObject(request, served)}}`;
}

function shownObject(request: TableRequest, served: Served): string {
  const { options, version, jsonOf } = request;
  switch (options.includeObject) {
    case 'None':
      return 'null';
    case 'Object':
      return jsonOf(served);
    case 'Metadata': {
      const make = ({ object }: Served) => partialJson(object, version);
      return served.form === undefined ? make(served) : served.form(`partial ${version}`, make);
    }
  }
}

const partialJson = ({ metadata }: KubeObject, version: Version): string =>
  encode(PartialObjectMetadata.type, {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
  });
