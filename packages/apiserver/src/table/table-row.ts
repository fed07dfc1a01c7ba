/**
 * A row of a Table as JSON, cached beside its object: a list of a thousand pods only costs the concatenation. Ages
 * change while objects don't, so a row is cached with the time until which it is valid.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import { PartialObjectMetadata } from '@coxswain/api/meta/v1/partial-object-metadata.ts';
import { encode, type Cell } from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';
import { utf8 } from '../http/api-response.ts';
import { jsonBytes, versioned } from '../list-parts.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import type { Served } from '../rest/served.ts';
import type { TableOptions } from '../rest/table.ts';
import { metadataAlone } from './partial-object.ts';
import type { Version } from './table.ts';

export interface TableRequest {
  readonly scope: ResourceScope;
  readonly options: TableOptions;
  readonly version: Version;
}

/** One per object and form; updated in place when time changes its cells. */
interface KeptRow {
  bytes: Uint8Array;
  cells: string;
  /** The time at which the cells have to be rendered again. */
  trueUntilMs: number;
  /** For the limit of the cache. */
  readonly byteLength: number;
}

export function tableRow(request: TableRequest, served: Served, nowMs: number): Uint8Array {
  const { scope, options, version } = request;
  if (served.form === undefined) return newRow(request, served, nowMs).bytes;
  const row = served.form(`row ${scope.kind.apiVersion} ${options.includeObject} ${version}`, () =>
    newRow(request, served, nowMs),
  );
  if (nowMs >= row.trueUntilMs) renew(row, request, served, nowMs);
  return row.bytes;
}

function newRow(request: TableRequest, served: Served, nowMs: number): KeptRow {
  const object = versioned(request.scope, served.object);
  const cells = cellsOf(request.scope, object, nowMs);
  const bytes = rowBytes(request, served, object, cells);
  return {
    bytes,
    cells,
    trueUntilMs: endOfTruth(request.scope, object, cells, nowMs),
    byteLength: bytes.length,
  };
}

function renew(row: KeptRow, request: TableRequest, served: Served, nowMs: number): void {
  const object = versioned(request.scope, served.object);
  const cells = cellsOf(request.scope, object, nowMs);
  // Unchanged bytes stay the same array, since their compressed form is found by it.
  if (cells !== row.cells) {
    row.cells = cells;
    row.bytes = rowBytes(request, served, object, cells);
  }
  row.trueUntilMs = endOfTruth(request.scope, object, cells, nowMs);
}

const cellsOf = ({ table }: ResourceScope, object: KubeObject, nowMs: number): string =>
  writeAny(table.columns.map(({ cell }): Cell => cell(object as never, nowMs) ?? null));

const secondMs = 1000;
/** How far ahead a row's validity is tested: ages are shown in seconds, then minutes, then hours. */
const spansMs = [60 * 60 * secondMs, 60 * secondMs];

/** Ages only grow: if a later rendering is the same, so are all those in between. */
function endOfTruth(scope: ResourceScope, object: KubeObject, cells: string, nowMs: number): number {
  for (const spanMs of spansMs) {
    if (cellsOf(scope, object, nowMs + spanMs) === cells) return nowMs + spanMs;
  }
  // Timestamps of objects are whole seconds, so ages change on full seconds.
  return (Math.floor(nowMs / secondMs) + 1) * secondMs;
}

function rowBytes(request: TableRequest, served: Served, object: KubeObject, cells: string): Uint8Array {
  const conditions = request.scope.table.rowConditions?.(object as never) ?? [];
  const shown = conditions.length === 0 ? '' : `"conditions":${writeAny(conditions)},`;
  return utf8(`{"cells":${cells},${shown}"object":${shownObject(request, served)}}`);
}

const decoder = new TextDecoder();

/** Partial metadata are those of the stored version, without annotations in which another version keeps fields. */
function shownObject({ scope, options, version }: TableRequest, served: Served): string {
  switch (options.includeObject) {
    case 'None':
      return 'null';
    case 'Object':
      return decoder.decode(jsonBytes(scope, served));
    case 'Metadata':
      return encode(PartialObjectMetadata.type, {
        kind: 'PartialObjectMetadata',
        apiVersion: `meta.k8s.io/${version}`,
        metadata: metadataAlone(served.object, scope.kind.behaviour),
      });
  }
}
