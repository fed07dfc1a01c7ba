/** A Table as JSON: head, rows and tail. */
import type { ListMeta } from '@coxswain/apimachinery';
import type { Column } from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';
import type { ListParts } from '../http/compression.ts';
import { utf8 } from '../http/api-response.ts';
import type { Served } from '../rest/served.ts';
import { isGeneric, declaredColumns } from './table.ts';
import type { TableRequest } from './table-row.ts';

/**
 * @param rows the items' rows from `tableRow`
 * @param listMeta of a list; a Table of one object has that object's version
 * @param end what follows the table: a line break
 */
export function tableParts(
  request: TableRequest,
  items: readonly Served[],
  rows: readonly Uint8Array[],
  listMeta: ListMeta | undefined,
  end: string,
): ListParts {
  const { scope, options, version } = request;
  const { columns } = scope.table;
  const meta = listMeta ?? { resourceVersion: items[0]?.object.metadata.resourceVersion };
  const definitions = options.noHeaders ? 'null' : definitionsOf(columns);
  const [open, close] = items.length === 0 && isGeneric(columns) ? ['null', ''] : ['[', ']'];
  return {
    head: utf8(
      `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":${JSON.stringify(meta)},` +
        `"columnDefinitions":${definitions},"rows":${open}`,
    ),
    items: rows,
    skipped: 0,
    firstSeparator: nothing,
    separator: comma,
    tail: utf8(`${close}}${end}`),
  };
}

const nothing = utf8('');
const comma = utf8(',');

const definitionTexts = new WeakMap<readonly Column<never>[], string>();

function definitionsOf(columns: readonly Column<never>[]): string {
  let text = definitionTexts.get(columns);
  if (text === undefined) definitionTexts.set(columns, (text = writeAny(declaredColumns(columns))));
  return text;
}
