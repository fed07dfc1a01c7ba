import { compileJsonPath, goValue } from '../jsonpath/evaluate.ts';
import { relaxedJsonPath } from '../jsonpath/relaxed.ts';
import { alignTabs } from './tab-writer.ts';
import type { Printer } from './printer.ts';

interface Column {
  readonly header: string;
  readonly path: ReturnType<typeof compileJsonPath>;
}

/** `NAME:.metadata.name,IMAGE:.spec.image` */
export function customColumnsPrinter(spec: string, noHeaders: boolean): Printer {
  if (spec === '') throw new Error('custom-columns format specified but no custom columns given');
  const columns = spec.split(',').map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0)
      throw new Error(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    return columnOf(part.slice(0, colon), part.slice(colon + 1));
  });
  return columnsPrinter(columns, noHeaders);
}

/** A line of headings, and a line of paths. */
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
    names.map((name, index) => columnOf(name, paths[index] ?? '')),
    false,
  );
}

const columnOf = (header: string, path: string): Column => ({
  header,
  path: compileJsonPath(relaxedJsonPath(path), { allowMissingKeys: true }),
});

function columnsPrinter(columns: readonly Column[], noHeaders: boolean): Printer {
  let lastType = '';
  return (object) => {
    const items = (object as { items?: unknown[] }).items;
    const type = Array.isArray(items) ? 'list' : 'object';
    const heading = !noHeaders && type !== lastType ? [columns.map(({ header }) => header)] : [];
    lastType = type;
    const rows = (Array.isArray(items) ? items : [object]).map((item) =>
      columns.map((column) => cell(column, item)),
    );
    return alignTabs([...heading, ...rows].map((cells) => `${cells.join('\t')}\n`).join(''));
  };
}

function cell({ path }: Column, item: unknown): string {
  const values = path.find(item);
  const texts = values.flat().map(goValue);
  return values[0] === undefined || values[0].length === 0 ? ['<none>', ...texts].join(',') : texts.join(',');
}
