import { compileJsonPath, goValue } from '../jsonpath/evaluate.ts';
import { relaxedJsonPath } from '../jsonpath/relaxed.ts';
import { alignTabs } from './tab-writer.ts';
import { PartialOutput } from './partial-output.ts';
import type { Printer } from './printer.ts';

interface Column {
  readonly header: string;
  /** `{.metadata.name}` */
  readonly path: string;
}

type Path = ReturnType<typeof compileJsonPath>;

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
    names.map((header, index) => ({ header, path: relaxedJsonPath(paths[index] ?? '') })),
    false,
  );
}

function columnsPrinter(columns: readonly Column[], noHeaders: boolean): Printer {
  let lastType = '';
  let paths: readonly Path[] | undefined;
  return (object) => {
    const items = (object as { items?: unknown[] }).items;
    const type = Array.isArray(items) ? 'list' : 'object';
    const heading = !noHeaders && type !== lastType ? [columns.map(({ header }) => header)] : [];
    lastType = type;
    // A path that can't be read is told after the headings only.
    paths ??= compiled(columns, heading);
    const read = paths;
    const rows = (Array.isArray(items) ? items : [object]).map((item) =>
      read.map((path) => cell(path, item)),
    );
    return aligned([...heading, ...rows]);
  };
}

const aligned = (rows: readonly (readonly string[])[]): string =>
  alignTabs(rows.map((cells) => `${cells.join('\t')}\n`).join(''));

/** @throws PartialOutput with the headings */
function compiled(columns: readonly Column[], heading: readonly (readonly string[])[]): readonly Path[] {
  try {
    return columns.map(({ path }) => compileJsonPath(path, { allowMissingKeys: true }));
  } catch (failure) {
    throw new PartialOutput((failure as Error).message, aligned(heading));
  }
}

function cell(path: Path, item: unknown): string {
  const values = path.find(item);
  const texts = values.flat().map(goValue);
  return values[0] === undefined || values[0].length === 0 ? ['<none>', ...texts].join(',') : texts.join(',');
}
