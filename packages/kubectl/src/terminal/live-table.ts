/** Shows the current table of a watch instead of a line for each change. */
import { isTable, type Table, type TableRow } from '../printers/table.ts';
import { liveBlock } from './live-block.ts';
import type { TablePainter } from './state-colors.ts';

export interface LiveTableOptions {
  lines(table: Table): string;
  painter?(): TablePainter;
  /** The number of lines of the screen. */
  rows(): number;
}

/** Returns what to send to the terminal for each event. */
export function liveTable(options: LiveTableOptions): (object: unknown, type: string) => string {
  const rows = new Map<string, TableRow>();
  let head: Table | undefined;
  let sent = '';
  const block = liveBlock((text) => void (sent += text), options.rows);
  return (object, type) => {
    if (!isTable(object)) return '';
    if (head === undefined || object.columnDefinitions?.length) head = object;
    for (const row of object.rows ?? []) {
      const key = keyOf(row);
      if (type === 'DELETED') rows.delete(key);
      else rows.set(key, row);
    }
    const text = options.lines({ ...head, rows: [...rows.values()] });
    sent = '';
    block.show(options.painter === undefined ? text : options.painter()(text));
    return sent;
  };
}

/** An object recreated under the same name is a different row. */
const keyOf = ({ object, cells }: TableRow): string =>
  object?.metadata?.uid ??
  `${object?.metadata?.namespace ?? ''}/${object?.metadata?.name ?? String(cells[0])}`;
