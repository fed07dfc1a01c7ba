/** The displayed columns, with the order of their cells and their widths. */

import type { TableColumn, ListedRow } from '../../cluster/table-source.ts';
import { textOfCell } from '../../cluster/text-of-cell.ts';
import { inLanguages } from '../../language/language.ts';

const text = inLanguages(
  {
    changedBy: 'Changed by',
    changedByWhat: 'The field manager of the last change besides its status, and the subresource it used',
  },
  { changedBy: '修改者', changedByWhat: '最后一次修改（状态除外）的字段管理者，以及所用的子资源' },
);

export interface ShownColumn {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** `about` is the object of an event, `pod/web`. */
  readonly kind: 'name' | 'namespace' | 'age' | 'number' | 'state' | 'about' | 'text';
  /** The text as printed by the server. */
  textOf(row: ListedRow): string;
  /** For a state: what another column says of it, the ready count beside a status, or the updated one beside that. */
  qualifiedBy?(row: ListedRow): string;
  /** Sorted by the largest first at the first press of its title: those are sought. */
  readonly isLargestFirst?: boolean;
  /** The key by which rows are sorted. */
  keyOf(row: ListedRow): string | number;
}

const namespaceColumn: ShownColumn = {
  id: 'Namespace',
  title: 'Namespace',
  description: '',
  kind: 'namespace',
  textOf: ({ metadata }) => metadata.namespace ?? '',
  keyOf: ({ metadata }) => metadata.namespace ?? '',
};

interface ColumnsOptions {
  readonly withNamespace: boolean;
  readonly isWide: boolean;
  /** States come right after the name, where a phone shows them. */
  readonly isNarrow: boolean;
}

export function columnsOf(
  definitions: readonly TableColumn[],
  { withNamespace, isWide, isNarrow }: ColumnsOptions,
): readonly ShownColumn[] {
  const hasStatus = definitions.some(({ name }) => name === 'Status');
  const qualifying = definitions.findIndex(({ name }) => name === (hasStatus ? 'Ready' : 'Up-to-date'));
  const qualifiedBy = ({ cells }: ListedRow): string => textOfCell(cells[qualifying]);
  const columns = definitions.flatMap((definition, index) =>
    definition.priority > 0 && !isWide
      ? []
      : [{ ...columnOf(definition, index, hasStatus), ...(qualifying >= 0 && { qualifiedBy }) }],
  );
  const [name, ...others] = columns;
  if (name === undefined) return [];
  const states = isNarrow ? others.filter(({ kind }) => kind === 'state') : [];
  return [
    name,
    ...states,
    ...(withNamespace ? [namespaceColumn] : []),
    ...others.filter((column) => !states.includes(column)),
    ...(isWide ? [changedByColumn()] : []),
  ];
}

const changedByColumn = (): ShownColumn => {
  const textOf = ({ changedBy = '' }: ListedRow): string => changedBy;
  return {
    id: 'changedBy',
    title: text().changedBy,
    description: text().changedByWhat,
    kind: 'text',
    textOf,
    keyOf: textOf,
  };
};

/** The column by which events are sorted, latest first, since an event is written again each time it recurs. */
export const lastSeen = 'Last Seen';

/** The restarts of a pod's containers, and when the last one was: `4 (28s ago)`. */
const restarts = 'Restarts';

/** The column of an event's object. */
const aboutColumn = 'Object';

export const isStateColumn = (name: string): boolean => stateColumns.has(name);

const stateColumns: ReadonlySet<string> = new Set(['Status', 'Phase', 'Condition', 'Type', 'State']);

/**
 * @param hasStatus whether a status column says more than the ready count: a pod that has completed is not ready, but
 * well
 */
function columnOf(
  { name, type, format, description }: TableColumn,
  index: number,
  hasStatus: boolean,
): ShownColumn {
  const textOf = ({ cells }: ListedRow): string => textOfCell(cells[index]);
  const base = { id: name, title: name, description, textOf };
  if (format === 'name') return { ...base, kind: 'name', keyOf: textOf };
  if (name === 'Age')
    return {
      ...base,
      kind: 'age',
      // Sorts the youngest first, by ascending age.
      keyOf: ({ metadata }) => -Date.parse(metadata.creationTimestamp ?? ''),
    };
  if (name === lastSeen)
    return { ...base, kind: 'text', keyOf: ({ metadata }) => -Number(metadata.resourceVersion) };
  if (name === aboutColumn) return { ...base, kind: 'about', keyOf: textOf };
  if (type === 'integer' || type === 'number')
    return {
      ...base,
      kind: 'number',
      isLargestFirst: true,
      keyOf: ({ cells }) => Number(cells[index]) || 0,
    };
  if (name === restarts)
    return {
      ...base,
      kind: 'text',
      isLargestFirst: true,
      keyOf: ({ cells }) => Number.parseInt(textOfCell(cells[index]), 10) || 0,
    };
  const isState = stateColumns.has(name) || (name === 'Ready' && !hasStatus);
  return { ...base, kind: isState ? 'state' : 'text', keyOf: textOf };
}

const characterPx = 7.4;
const paddingPx = 26;
/** Names are bold, and states are preceded by a dot. */
const extraPx: Partial<Record<ShownColumn['kind'], number>> = { name: 20, state: 16 };
const measuredRows = 300;

const checkboxPx = 36;
/**
 * How far columns shrink before the table becomes wider than the page. The last one may hold messages; names and free
 * texts are shortened first, so that states and ages stay on the page.
 */
const leastPx: Partial<Record<ShownColumn['kind'], number>> = {
  name: 190,
  namespace: 130,
  about: 130,
  text: 150,
  state: 160,
};
const mostPx: Partial<Record<ShownColumn['kind'], number>> = { name: 420, namespace: 240, state: 220 };
const lastPxMin = 180;

/**
 * The length of the longest text of each column in the first rows. Lengths never shrink, so that columns stay in place
 * while states come and go.
 *
 * @param before the lengths so far; they are returned if none has grown
 */
export function lengthsOf(
  columns: readonly ShownColumn[],
  rows: readonly ListedRow[],
  before: readonly number[],
): readonly number[] {
  const measured = rows.slice(0, measuredRows);
  const lengths = columns.map((column, at) =>
    measured.reduce(
      (most, row) => Math.max(most, column.kind === 'age' ? ageLength : column.textOf(row).length),
      before[at] ?? column.title.length + 1,
    ),
  );
  return lengths.every((length, at) => length === before[at]) ? before : lengths;
}

/** `23h59m` */
const ageLength = 6;

/** Column widths for a grid, from the lengths of their texts, within bounds. Remaining space is shared in proportion. */
export function widthsOf(
  columns: readonly ShownColumn[],
  lengths: readonly number[],
): { readonly tracks: string; readonly totalPx: number } {
  const widths = columns.map(({ kind }, at) => {
    const px = lengths[at]! * characterPx + paddingPx + (extraPx[kind] ?? 0);
    return Math.round(Math.min(mostPx[kind] ?? 340, Math.max(64, px)));
  });
  const least = widths.map((px, at) =>
    Math.min(px, at === widths.length - 1 ? lastPxMin : (leastPx[columns[at]!.kind] ?? px)),
  );
  const tracks = widths.map((px, at) => `minmax(${least[at]}px, ${px}fr)`);
  return {
    tracks: [`${checkboxPx}px`, ...tracks].join(' '),
    totalPx: least.reduce((all, px) => all + px, checkboxPx),
  };
}
