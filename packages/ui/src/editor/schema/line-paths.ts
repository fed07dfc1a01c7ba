/** The position of each field of YAML, line by line. It also works on incomplete text, which a parser would reject. */

export type Path = readonly (string | number)[];

export interface FieldLine {
  /** Zero-based. */
  readonly line: number;
  /** From the root of its document, with the indices of list items. */
  readonly path: Path;
  /** The columns of the key. */
  readonly from: number;
  readonly to: number;
  /** The rest of the line. */
  readonly value: string;
  /** The zero-based index of the document in the text. */
  readonly document: number;
}

interface Level {
  readonly column: number;
  readonly name: string | number;
  /** For a key, the number of its list items so far. */
  items: number;
}

const keyed = /^((?:"[^"]*"|'[^']*'|[^\s#:'"{}[\]][^:]*?))\s*:(?:\s+(.*))?$/;
const blockScalar = /^[|>][-+0-9]*\s*(?:#.*)?$/;

export function fieldLines(text: string): readonly FieldLine[] {
  const scanner = new Scanner();
  return text.split('\n').flatMap((line) => scanner.read(line) ?? []);
}

/**
 * The place of a field that is started at the end of this text: the path of its parent, and its document. The last line
 * contains only spaces, hyphens and the beginning of a key.
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
  /** Lines of a block scalar are indented further than this. */
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

  /** A list may be indented as far as its key. */
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

/** The column after a hyphen that starts an item. */
function dashAt(text: string, column: number): number | undefined {
  const match = /^-(?:\s+|$)/.exec(text.slice(column));
  return match === null ? undefined : column + match[0].length;
}

const unquoted = (key: string): string => (/^["']/.test(key) ? key.slice(1, -1) : key);
