/** --sort-by: objects, or rows of tables, by what a path finds in them. */
import type { KubeObject } from '@coxswain/apimachinery';
import { compareQuantities, parseQuantity } from '@coxswain/apimachinery/quantity.ts';
import { compileJsonPath } from '../../jsonpath/evaluate.ts';
import { relaxedJsonPath } from '../../jsonpath/relaxed.ts';
import type { Table } from '../../printers/table.ts';

/** @throws Error when no object has the field */
export function sortObjects<T>(items: readonly T[], field: string, objectOf: (item: T) => unknown): T[] {
  const path = compileJsonPath(relaxedJsonPath(field), { allowMissingKeys: true });
  const keyed = items.map((item) => ({ item, key: path.find(objectOf(item))[0]?.[0] }));
  if (items.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new Error(`couldn't find any field with path "${relaxedJsonPath(field)}" in the list of objects`);
  }
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ item }) => item);
}

export function sortTable(table: Table, field: string): Table {
  return {
    ...table,
    rows: sortObjects(table.rows ?? [], field, ({ object }) => object as KubeObject | undefined),
  };
}

/** Missing values come first; text that is a quantity is compared as one. */
function compareKeys(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'number' || typeof a === 'bigint') return Number(a) - Number(b);
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function compareText(a: string, b: string): number {
  try {
    return compareQuantities(parseQuantity(a), parseQuantity(b));
  } catch {
    return a < b ? -1 : a > b ? 1 : 0;
  }
}
