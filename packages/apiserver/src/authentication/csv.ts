/** Parses comma-separated values as Go's encoding/csv does, with its errors. */

/** @throws Error `parse error on line 1, column 2: bare " in non-quoted field` */
export function parseCsv(text: string): string[][] {
  const reader = new CsvReader(text.replaceAll('\r\n', '\n'));
  const records: string[][] = [];
  for (let record = reader.record(); record !== undefined; record = reader.record()) records.push(record);
  return records;
}

class CsvReader {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Empty lines are skipped. */
  record(): string[] | undefined {
    while (this.#text[this.#at] === '\n') this.#skip();
    if (this.#at >= this.#text.length) return undefined;
    const startLine = this.#line;
    const fields: string[] = [];
    for (;;) {
      fields.push(this.#text[this.#at] === '"' ? this.#quoted(startLine) : this.#plain());
      const next = this.#text[this.#at];
      if (next !== undefined) this.#skip();
      if (next !== ',') return fields;
    }
  }

  #plain(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !',\n'.includes(this.#text[this.#at]!)) {
      if (this.#text[this.#at] === '"') throw this.#error('bare " in non-quoted field');
      this.#at++;
    }
    return this.#text.slice(start, this.#at);
  }

  #quoted(startLine: number): string {
    let field = '';
    this.#at++;
    for (;;) {
      const quote = this.#text.indexOf('"', this.#at);
      if (quote < 0) {
        this.#advance(this.#text.length);
        throw this.#error('extraneous or missing " in quoted-field', startLine);
      }
      field += this.#text.slice(this.#at, quote);
      this.#advance(quote + 1);
      const next = this.#text[this.#at];
      if (next === '"') {
        field += '"';
        this.#at++;
      } else if (next === undefined || next === ',' || next === '\n') return field;
      else throw this.#error('extraneous or missing " in quoted-field', startLine);
    }
  }

  #skip(): void {
    if (this.#text[this.#at++] === '\n') this.#line++;
  }

  #advance(to: number): void {
    while (this.#at < to) this.#skip();
  }

  #error(what: string, startLine = this.#line): Error {
    const column = this.#at - this.#text.lastIndexOf('\n', this.#at - 1);
    const place =
      startLine === this.#line
        ? `parse error on line ${this.#line}, column ${column}`
        : `record on line ${startLine}; parse error on line ${this.#line}, column ${column}`;
    return new Error(`${place}: ${what}`);
  }
}
