/** Lines of several containers in order of arrival, up to a limit. */

export interface LogLine {
  readonly id: number;
  readonly source: string;
  readonly time: string;
  readonly text: string;
}

/** Beyond this number, the oldest lines are dropped. */
export const linesMax = 50_000;
const lineLengthMax = 20_000;

export class LogLines {
  #lines: LogLine[] = [];
  #nextId = 0;

  get all(): readonly LogLine[] {
    return this.#lines;
  }

  /** @param line begins with the server's timestamp */
  add(source: string, line: string): void {
    const space = line.indexOf(' ');
    const time = space > 0 && /^\d{4}-/.test(line) ? line.slice(0, space) : '';
    const text = withoutColours(time === '' ? line : line.slice(space + 1)).slice(0, lineLengthMax);
    this.#lines.push({ id: this.#nextId++, source, time, text });
  }

  /** Drops excess lines; called once after adding many. */
  trim(): void {
    this.#lines = this.#lines.slice(-linesMax);
  }
}

/** Terminal escape sequences, such as those for colours. */
// oxlint-disable-next-line no-control-regex
const commands = /\u001B\[[0-9;?]*[ -/]*[@-~]/g;

const withoutColours = (text: string): string =>
  text.includes('\u001B') ? text.replaceAll(commands, '') : text;
