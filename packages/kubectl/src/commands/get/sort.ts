/** --sort-by: sorts objects, or rows of tables, by the value of a path. */
import type { KubeObject } from '@coxswain/apimachinery';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { goSort } from '@coxswain/apimachinery/go-sort.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { compareQuantities, parseQuantity, type Quantity } from '@coxswain/apimachinery/quantity.ts';
import { compileJsonPath } from '@coxswain/apimachinery/jsonpath/evaluate.ts';
import { typeNameOf } from '@coxswain/apimachinery/jsonpath/value.ts';
import { relaxedJsonPath } from '../../printers/relaxed-json-path.ts';
import type { Table } from '../../printers/table.ts';

/** The values of the path have no order; upstream ends with a log line. */
export class Unsortable extends Error {}

/** @throws Error if no object has the field; Unsortable */
export function sortObjects<T>(items: readonly T[], field: string, objectOf: (item: T) => unknown): T[] {
  return sortBy(items, relaxedJsonPath(field), objectOf, '*unstructured.Unstructured');
}

/** @throws Error if no row has the field; Unsortable */
export function sortTable(table: Table, field: string): Table {
  if ((table.rows ?? []).length < 2) return table;
  const objectOf = ({ object }: { readonly object?: unknown }) => object as KubeObject | undefined;
  return {
    ...table,
    rows: sortBy(table.rows ?? [], relaxedOrAsItIs(field), objectOf, '[][][]reflect.Value'),
  };
}

function relaxedOrAsItIs(field: string): string {
  try {
    return relaxedJsonPath(field);
  } catch {
    return field;
  }
}

function sortBy<T>(items: readonly T[], field: string, objectOf: (item: T) => unknown, goType: string): T[] {
  const path = compileJsonPath(field, { allowMissingKeys: true });
  const keyed = items.map((item) => ({ item, key: path.find(objectOf(item))[0]?.[0] }));
  if (items.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new Error(`couldn't find any field with path ${goQuote(field)} in the list of objects`);
  }
  const less = (a: unknown, b: unknown): boolean => {
    try {
      return isLess(a, b);
    } catch (failure) {
      const reason = messageOf(failure);
      throw new Unsortable(`Field ${field} in ${goType} is an unsortable type: interface, err: ${reason}`);
    }
  };
  return goSort(keyed, (a, b) => less(a.key, b.key)).map(({ item }) => item);
}

const sortable = ['string', 'int64', 'float64'];

/** Missing values come first, even compared with each other, as upstream. @throws Error for values without an order */
function isLess(a: unknown, b: unknown): boolean {
  if (a === undefined) return true;
  if (b === undefined || (a === null && b === null)) return false;
  if (a === null || b === null) return a === null;
  if (typeof a === 'string' && typeof b === 'string') return isLessText(a, b);
  const type = typeNameOf(a);
  if (!sortable.includes(type)) throw new Error(`unsortable type: ${type}`);
  if (type !== typeNameOf(b)) throw new Error('unsortable interface: interface');
  return (a as number | bigint) < (b as number | bigint);
}

function isLessText(a: string, b: string): boolean {
  const [first, second] = [quantityOf(a), quantityOf(b)];
  return first === undefined || second === undefined ? a < b : compareQuantities(first, second) < 0;
}

function quantityOf(text: string): Quantity | undefined {
  try {
    return parseQuantity(text);
  } catch {
    return undefined;
  }
}
