/** Rows of a resource as printed by the server: the columns of `kubectl get`, for every kind, including custom ones. */

import { apiVersionOf, type KubeList, type KubeObject, type WatchEvent } from '@coxswain/apimachinery';
import type { ApiResource, ListOptions, ListWatch, WatchOptions } from '@coxswain/client';
import { client } from './cluster.ts';
import { lastChange, scaledBy } from './last-change.ts';
import { textOfCell } from './text-of-cell.ts';

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 if the column is always shown, higher if only by `-o wide`. */
  readonly priority: number;
}

/** A row with the retained part of its object's metadata. */
export interface ListedRow extends KubeObject {
  readonly cells: readonly unknown[];
  /** The manager of the last change besides its status: `kubectl-edit`, or `kubectl-edit, kubectl (scale)`. */
  readonly changedBy?: string;
}

interface TableAnswer {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly columnDefinitions?: readonly TableColumn[];
  readonly rows?: readonly { readonly cells: readonly unknown[]; readonly object: KubeObject }[] | null;
}

const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';

/** A page of this size is decoded in a few milliseconds, so that no frame is late. */
const pageSize = 1000;

export interface TableSelection {
  /** All namespaces if undefined. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** @param onColumns called once the columns are known */
export function tableSource(
  resource: ApiResource,
  { namespace, labelSelector, fieldSelector }: TableSelection,
  onColumns: (columns: readonly TableColumn[]) => void,
): (onPage: (rows: readonly ListedRow[]) => void) => ListWatch<ListedRow> {
  const target = {
    verb: 'GET',
    groupVersion: resource,
    resource: resource.resource,
    accept,
    ...(namespace !== undefined && { namespace, namespaced: true }),
  };
  const selectors = { labelSelector: labelSelector || undefined, fieldSelector: fieldSelector || undefined };
  return (onPage) => ({
    isRemote: true,
    async list({ signal }: ListOptions = {}): Promise<KubeList<ListedRow>> {
      const items: ListedRow[] = [];
      let next: string | undefined;
      for (;;) {
        const table: TableAnswer = await client.rest.request<TableAnswer>({
          ...target,
          query: { ...selectors, limit: pageSize, continue: next },
          signal,
        });
        if (table.columnDefinitions !== undefined) onColumns(table.columnDefinitions);
        const rows = rowsOf(table);
        for (const row of rows) items.push(row);
        onPage(rows);
        next = table.metadata?.continue || undefined;
        if (next === undefined) return { metadata: { ...table.metadata }, items };
      }
    },
    async *watchBatches(options: WatchOptions = {}): AsyncGenerator<readonly WatchEvent<ListedRow>[]> {
      const { signal, resourceVersion, allowWatchBookmarks, timeoutSeconds, onOpen } = options;
      const query = { ...selectors, resourceVersion, allowWatchBookmarks, timeoutSeconds };
      for await (const batch of client.rest.watch({ ...target, query, signal }, onOpen))
        yield batch.flatMap(({ type, object }) => eventsOf(type, object as unknown as TableAnswer));
    },
  });
}

/**
 * The rows of a resource at an earlier resource version, as printed by the server, up to a limit. @throws StatusError
 */
export async function tableAt(
  resource: ApiResource,
  {
    namespace,
    revision,
    limit,
    signal,
  }: {
    readonly namespace: string | undefined;
    readonly revision: number;
    readonly limit: number;
    readonly signal: AbortSignal;
  },
): Promise<{
  readonly columns: readonly TableColumn[];
  readonly rows: readonly ListedRow[];
  readonly isWhole: boolean;
}> {
  const table = await client.rest.request<TableAnswer>({
    verb: 'GET',
    groupVersion: resource,
    resource: resource.resource,
    accept,
    ...(namespace !== undefined && { namespace, namespaced: true }),
    query: { resourceVersion: String(revision), resourceVersionMatch: 'Exact', limit },
    signal,
  });
  return {
    columns: table.columnDefinitions ?? [],
    rows: rowsOf(table),
    isWhole: !table.metadata?.continue,
  };
}

export interface PrintedColumn {
  readonly name: string;
  readonly description: string;
  readonly content: string;
}

/** What the server prints of one object besides its name and age, empty cells left out. @throws StatusError */
export async function printedColumns(
  resource: ApiResource,
  {
    namespace,
    name,
    signal,
  }: {
    readonly namespace: string | undefined;
    readonly name: string;
    readonly signal: AbortSignal;
  },
): Promise<readonly PrintedColumn[]> {
  const { columnDefinitions = [], rows } = await client.rest.request<TableAnswer>({
    verb: 'GET',
    groupVersion: resource,
    resource: resource.resource,
    name,
    ...(namespace !== undefined && { namespace, namespaced: true }),
    accept,
    signal,
  });
  const cells = rows?.[0]?.cells ?? [];
  return columnDefinitions.flatMap(({ name, format, description }, index) => {
    const content = textOfCell(cells[index]);
    return format === 'name' || name === 'Age' || content === '' ? [] : [{ name, description, content }];
  });
}

/** Each event of a watch of tables holds a table; a bookmark's table has no rows or none with an object. */
function eventsOf(type: WatchEvent['type'], table: TableAnswer): readonly WatchEvent<ListedRow>[] {
  const rows = rowsOf(table);
  if (rows.length > 0) return rows.map((object) => ({ type, object }));
  return [{ type, object: { metadata: { ...table.metadata }, cells: [] } }];
}

const rowsOf = ({ rows }: TableAnswer): readonly ListedRow[] =>
  (rows ?? []).map(({ cells, object: { metadata } }) => ({
    cells,
    metadata: kept(metadata),
    changedBy: changedBy(metadata),
  }));

/** Equal names are the same string, of which there are few. */
const names = new Map<string, string>();

function changedBy(metadata: KubeObject['metadata']): string {
  const scaler = scaledBy(metadata);
  const { manager = '' } = lastChange(metadata) ?? {};
  const name = scaler === undefined ? manager : `${manager}, ${scaler} (scale)`;
  if (!names.has(name)) names.set(name, name);
  return names.get(name)!;
}

/** With 150,000 rows, every property matters. */
const kept = ({
  name,
  namespace,
  uid,
  labels,
  resourceVersion,
  creationTimestamp,
  deletionTimestamp,
}: KubeObject['metadata']): KubeObject['metadata'] => ({
  ...(name !== undefined && { name }),
  ...(namespace !== undefined && { namespace }),
  ...(uid !== undefined && { uid }),
  ...(labels !== undefined && { labels }),
  ...(resourceVersion !== undefined && { resourceVersion }),
  ...(creationTimestamp !== undefined && { creationTimestamp }),
  ...(deletionTimestamp !== undefined && { deletionTimestamp }),
});

/** The key of a resource's rows among live objects. */
export const tableKey = (resource: ApiResource, selection: TableSelection): string =>
  ['table', apiVersionOf(resource), resource.resource, JSON.stringify(selection)].join(' ');
