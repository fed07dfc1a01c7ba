/** Reads and writes one record of comma-separated values as Go's `encoding/csv` does (used by pflag's slices). */

/** @throws Error with the message of encoding/csv */
export function readCsvRecord(text: string): string[] {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (text[at] !== '"') {
      const comma = text.indexOf(',', at);
      const field = comma < 0 ? text.slice(at) : text.slice(at, comma);
      const quote = field.indexOf('"');
      if (quote >= 0) throw csvError(at + quote + 1, 'bare " in non-quoted-field');
      fields.push(field);
      if (comma < 0) return fields;
      at = comma + 1;
      continue;
    }
    const { field, end } = readQuoted(text, at + 1);
    fields.push(field);
    if (end >= text.length) return fields;
    if (text[end] !== ',') throw csvError(end + 1, 'extraneous or missing " in quoted-field');
    at = end + 1;
  }
}

function readQuoted(text: string, from: number): { field: string; end: number } {
  let field = '';
  for (let at = from; ;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw csvError(text.length + 1, 'extraneous or missing " in quoted-field');
    field += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { field, end: quote + 1 };
    field += '"';
    at = quote + 2;
  }
}

const csvError = (column: number, problem: string): Error =>
  new Error(`parse error on line 1, column ${column}: ${problem}`);

export const writeCsvRecord = (fields: readonly string[]): string =>
  fields.map((field) => (/[",\n\r]|^\s/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');
