/** The columns and cells that many kinds share. */

import { labelSelectorFromSpec, type LabelSelectorSpec } from '@coxswain/apimachinery';
import type { Cell, Column } from '@coxswain/schema';
import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import type { MetaObject } from './kind-object.ts';

export const column = <T>(
  name: string,
  cell: (object: T, nowMs: number) => Cell,
  type: Column<T>['type'] = 'string',
): Column<T> => ({ name, type, cell });

/** Only in wide output. */
export const wideColumn = <T>(name: string, cell: (object: T, nowMs: number) => Cell): Column<T> => ({
  name,
  type: 'string',
  priority: 1,
  cell,
});

export const nameColumn: Column<MetaObject> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  cell: ({ metadata }) => metadata.name ?? '',
};

export const ageColumn: Column<MetaObject> = column('Age', ({ metadata }, nowMs) =>
  timeSince(metadata.creationTimestamp, nowMs),
);

/** For kinds without a printer of their own. */
export const defaultColumns: readonly Column<MetaObject>[] = [
  nameColumn,
  column('Created At', ({ metadata }) => metadata.creationTimestamp ?? null, 'date'),
];

/** The two wide columns of all kinds with a pod template. */
export const containerColumns = <T>(
  containersOf: (object: T) => readonly { name: string; image?: string }[] | undefined,
): readonly Column<T>[] => [
  wideColumn('Containers', (object) => joined(containersOf(object), ({ name }) => name)),
  wideColumn('Images', (object) => joined(containersOf(object), ({ image }) => image ?? '')),
];

/** `<none>` without labels. */
export const formatLabels = (labels: Readonly<Record<string, string>> | null | undefined): string =>
  Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',') || '<none>';

export function formatSelector(selector: LabelSelectorSpec | null | undefined): string {
  try {
    return labelSelectorFromSpec(selector).toString() || '<none>';
  } catch {
    return '<error>';
  }
}

/** The first few items of a list, and the number of further ones. */
export function listWithMore(items: readonly string[], shownMax: number, whenEmpty: string): string {
  const shown = items.slice(0, shownMax).join(',');
  return items.length > shownMax ? `${shown} + ${items.length - shownMax} more...` : shown || whenEmpty;
}

const joined = <E>(items: readonly E[] | undefined, text: (item: E) => string): string =>
  (items ?? []).map(text).join(',');
