import { compileJsonPath, type JsonPath } from '@coxswain/apimachinery/jsonpath/evaluate.ts';
import { printedValue } from '@coxswain/apimachinery/jsonpath/value.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { relaxedJsonPath } from './relaxed-json-path.ts';
import { escapeTerminal } from './table.ts';
import { alignTabs } from './tab-writer.ts';
import { PartialOutput } from './partial-output.ts';
import type { Printer } from './printer.ts';

interface Column {
  readonly header: string;
  /** `{.metadata.name}` */
  readonly path: string;
}

/** `NAME:.metadata.name,IMAGE:.spec.image` */
export function customColumnsPrinter(spec: string, noHeaders: boolean): Printer {
  if (spec === '') throw new Error('custom-columns format specified but no custom columns given');
  const columns = spec.split(',').map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0)
      throw new Error(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    return { header: part.slice(0, colon), path: relaxedJsonPath(part.slice(colon + 1)) };
  });
  return columnsPrinter(columns, noHeaders);
}

/** Reads a line of headings and a line of paths. */
export function customColumnsFilePrinter(text: string): Printer {
  const [headings, specs] = text.replace(/\n$/, '').split('\n');
  const expected =
    'Expected format is one line of space separated headers, one line of space separated column specs.';
  if (headings === undefined || text === '')
    throw new Error(`invalid template, missing header line. ${expected}`);
  if (specs === undefined) throw new Error(`invalid template, missing spec line. ${expected}`);
  const names = headings.split(/\s+/).filter(Boolean);
  const paths = specs.split(/\s+/).filter(Boolean);
  if (names.length !== paths.length) {
    throw new Error(
      `number of headers (${names.length}) and field specifications (${paths.length}) don't match`,
    );
  }
  return columnsPrinter(
    names.map((header, index) => ({ header, path: relaxedJsonPath(paths[index] ?? '') })),
    false,
  );
}

function columnsPrinter(columns: readonly Column[], noHeaders: boolean): Printer {
  let lastType = '';
  let paths: readonly JsonPath[] | undefined;
  return (object) => {
    const items = (object as { items?: unknown[] }).items;
    const type = Array.isArray(items) ? 'list' : 'object';
    const lines = !noHeaders && type !== lastType ? [columns.map(({ header }) => header)] : [];
    lastType = type;
    try {
      paths ??= columns.map(({ path }) => compileJsonPath(path, { allowMissingKeys: true }));
      for (const item of Array.isArray(items) ? items : [object]) {
        lines.push(paths.map((path) => cell(path, item)));
      }
    } catch (failure) {
      throw new PartialOutput(messageOf(failure), aligned(lines));
    }
    return aligned(lines);
  };
}

const aligned = (rows: readonly (readonly string[])[]): string =>
  alignTabs(rows.map((cells) => `${cells.join('\t')}\n`).join(''));

function cell(path: JsonPath, item: unknown): string {
  const values = path.find(item);
  const texts = values.flat().map((value) => escapeTerminal(printedValue(value)));
  return values[0] === undefined || values[0].length === 0 ? ['<none>', ...texts].join(',') : texts.join(',');
}
