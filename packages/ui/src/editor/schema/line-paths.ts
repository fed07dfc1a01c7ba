/** Where the fields of YAML stand, line by line: also of text that is being written, which no parser takes. */

export type Path = readonly (string | number)[];

export interface FieldLine {
  /** Counts from 0. */
  readonly line: number;
  /** From the top of its document, items by their number. */
  readonly path: Path;
  /** Columns of the key. */
  readonly from: number;
  readonly to: number;
  /** What follows on the same line. */
  readonly value: string;
  /** Of which document of the text, from 0. */
  readonly document: number;
}

interface Level {
  readonly column: number;
  readonly name: string | number;
  /** Items so far, of a key. */
  items: number;
}

const keyed = /^((?:"[^"]*"|'[^']*'|[^\s#:'"{}[\]][^:]*?))\s*:(?:\s+(.*))?$/;
const blockScalar = /^[|>][-+0-9]*\s*(?:#.*)?$/;

export function fieldLines(text: string): readonly FieldLine[] {
  const scanner = new Scanner();
  return text.split('\n').flatMap((line) => scanner.read(line) ?? []);
}

/**
 * Where a field would stand that is begun at the end of this text: below which one, and in which document.
 * The last line has nothing but spaces, hyphens and the beginning of a key.
 */
export function placeAtEnd(text: string): { readonly parent: Path; readonly document: number } {
  const lines = text.split('\n');
  const last = lines.pop()!;
  const scanner = new Scanner();
  for (const line of lines) scanner.read(line);
  const found = scanner.read(`${/^[\s-]*/.exec(last)![0]}x:`);
  return found === undefined
    ? { parent: [], document: 0 }
    : { parent: found.path.slice(0, -1), document: found.document };
}

class Scanner {
  #line = -1;
  #document = 0;
  #levels: Level[] = [];
  /** Lines of a block scalar are more indented than this. */
  #scalarColumn: number | undefined;

  read(text: string): FieldLine | undefined {
    this.#line++;
    if (text.trim() === '' || /^\s*#/.test(text)) return undefined;
    let column = text.length - text.trimStart().length;
    if (this.#scalarColumn !== undefined) {
      if (column > this.#scalarColumn) return undefined;
      this.#scalarColumn = undefined;
    }
    if (/^---(?:\s|$)/.test(text)) {
      this.#document++;
      this.#levels = [];
      return undefined;
    }
    for (let dash = dashAt(text, column); dash !== undefined; dash = dashAt(text, column)) {
      this.#item(column);
      column = dash;
    }
    const match = keyed.exec(text.slice(column));
    if (match === null) return undefined;
    const [, key = '', value = ''] = match;
    this.#leave((level) => level.column >= column);
    this.#levels.push({ column, name: unquoted(key), items: 0 });
    if (blockScalar.test(value)) this.#scalarColumn = column;
    const path = this.#levels.map(({ name }) => name);
    const { length } = key;
    return { line: this.#line, path, from: column, to: column + length, value, document: this.#document };
  }

  /** A list may stand as far left as its key. */
  #item(column: number): void {
    this.#leave(
      (level) => level.column > column || (level.column === column && typeof level.name === 'number'),
    );
    const parent = this.#levels.at(-1);
    this.#levels.push({ column, name: parent === undefined ? 0 : parent.items++, items: 0 });
  }

  #leave(isOver: (level: Level) => boolean): void {
    while (this.#levels.length > 0 && isOver(this.#levels.at(-1)!)) this.#levels.pop();
  }
}

/** The column after a hyphen that begins an item. */
function dashAt(text: string, column: number): number | undefined {
  const match = /^-(?:\s+|$)/.exec(text.slice(column));
  return match === null ? undefined : column + match[0].length;
}

const unquoted = (key: string): string => (/^["']/.test(key) ? key.slice(1, -1) : key);
