/** Prints server-side tables, and simple ones for objects without. */
import type { KubeObject } from '@coxswain/apimachinery';
import { printedValue } from '@coxswain/apimachinery/jsonpath/value.ts';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';

export interface TableColumn {
  readonly name: string;
  readonly type?: string;
  readonly format?: string;
  /** Columns above 0 are only shown with -o wide. */
  readonly priority?: number;
}

export interface TableRow {
  readonly cells: readonly unknown[];
  readonly object?: KubeObject;
}

export interface Table {
  readonly kind: 'Table';
  readonly columnDefinitions?: readonly TableColumn[] | null;
  readonly rows?: readonly TableRow[] | null;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

export const isTable = (object: unknown): object is Table =>
  typeof object === 'object' &&
  object !== null &&
  (object as { kind?: unknown }).kind === 'Table' &&
  String((object as { apiVersion?: unknown }).apiVersion).startsWith('meta.k8s.io/');

export interface TableOptions {
  readonly noHeaders?: boolean;
  readonly wide?: boolean;
  readonly withNamespace?: boolean;
  /** The prefix of names: `deployment.apps`. */
  readonly kindPrefix?: string;
  readonly showLabels?: boolean;
  readonly columnLabels?: readonly string[];
}

/** Returns lines with tabs between cells; headings are printed when they change. */
export type TablePrinter = (object: unknown, eventType?: string) => string;

export function tablePrinter(options: TableOptions, nowMs: () => number): TablePrinter {
  let lastColumns: readonly TableColumn[] = [];
  let lastKind = '';
  let printedHeaders = false;
  return (object, eventType) => {
    if (!isTable(object)) {
      const headers = lastKind !== 'object' && !options.noHeaders;
      lastKind = 'object';
      return printPlain(object as KubeObject, options, headers, nowMs, eventType);
    }
    const columns = object.columnDefinitions?.length ? object.columnDefinitions : lastColumns;
    if (columns !== lastColumns && JSON.stringify(columns) !== JSON.stringify(lastColumns))
      printedHeaders = false;
    const noHeaders = options.noHeaders === true || printedHeaders;
    lastColumns = columns;
    if ((object.rows ?? []).length > 0) printedHeaders = true;
    return printTable({ ...object, columnDefinitions: columns }, { ...options, noHeaders }, eventType);
  };
}

function printTable(table: Table, options: TableOptions, eventType?: string): string {
  const { columns, rows } = decorate(table, options, eventType);
  if (rows.length === 0) return '';
  const shown = columns.map((column) => options.wide === true || (column.priority ?? 0) === 0);
  const heading = columns.filter((_column, index) => shown[index]).map(({ name }) => name.toUpperCase());
  const lines = rows.map((cells) =>
    cells
      .slice(0, columns.length)
      .filter((_cell, index) => shown[index])
      .map(cellText),
  );
  return [...(options.noHeaders ? [] : [heading]), ...lines].map((cells) => `${cells.join('\t')}\n`).join('');
}

const eventWidth = 8;

function decorate(
  table: Table,
  options: TableOptions,
  eventType?: string,
): { columns: TableColumn[]; rows: unknown[][] } {
  const definitions = table.columnDefinitions ?? [];
  const labels = options.columnLabels ?? [];
  const nameColumn = options.kindPrefix
    ? definitions.findIndex(({ format, type }) => format === 'name' && type === 'string')
    : -1;
  const columns: TableColumn[] = [
    ...(eventType === undefined ? [] : [{ name: 'Event' }]),
    ...(options.withNamespace ? [{ name: 'Namespace' }] : []),
    ...definitions,
    ...labels.map((label) => ({ name: label.split('/').at(-1)?.toUpperCase() ?? label })),
    ...(options.showLabels ? [{ name: 'Labels' }] : []),
  ];
  const rows = (table.rows ?? []).map(({ cells, object }) => [
    ...(eventType === undefined ? [] : [eventType.padEnd(eventWidth)]),
    ...(options.withNamespace ? [object?.metadata?.namespace ?? ''] : []),
    ...definitions.map((_definition, index) =>
      index === nameColumn ? `${options.kindPrefix}/${cellText(cells[index])}` : cells[index],
    ),
    ...labels.map((label) => object?.metadata?.labels?.[label] ?? ''),
    ...(options.showLabels ? [labelsText(object?.metadata?.labels)] : []),
  ]);
  return { columns, rows };
}

function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? '<none>' : pairs.map(([key, value]) => `${key}=${value}`).join(',');
}

/** Only the first line, without control characters. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  const text = printedValue(cell);
  const end = text.search(/[\f\n\r]/);
  return escapeTerminal(end < 0 ? text : `${text.slice(0, end)}...`);
}

/** Makes control characters visible. */
export const escapeTerminal = (text: string): string =>
  text.replaceAll('\u001b', '^[').replaceAll('\r', '\\r');

function printPlain(
  object: KubeObject,
  options: TableOptions,
  headers: boolean,
  nowMs: () => number,
  eventType?: string,
): string {
  const items = (object as { items?: KubeObject[] }).items ?? [object];
  const table: Table = {
    kind: 'Table',
    columnDefinitions: [{ name: 'Name', type: 'string', format: 'name' }, { name: 'Age' }],
    rows: items.map((item) => ({
      object: item,
      cells: [item.metadata?.name ?? '', ageOf(item.metadata?.creationTimestamp, nowMs())],
    })),
  };
  return printTable(table, { ...options, noHeaders: !headers }, eventType);
}

export function ageOf(timestamp: string | undefined, nowMs: number): string {
  return timestamp === undefined ? '<unknown>' : humanDuration(nowMs - Date.parse(timestamp));
}
