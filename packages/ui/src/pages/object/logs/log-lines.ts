/** Lines of several containers, in the order in which they came, as many as can be kept. */

export interface LogLine {
  readonly id: number;
  readonly source: string;
  readonly time: string;
  readonly text: string;
}

/** The oldest go. */
export const linesMax = 50_000;
const lineLengthMax = 20_000;

export class LogLines {
  #lines: LogLine[] = [];
  #nextId = 0;

  get all(): readonly LogLine[] {
    return this.#lines;
  }

  /** @param line with the time stamp that the server puts before it */
  add(source: string, line: string): void {
    const space = line.indexOf(' ');
    const time = space > 0 && /^\d{4}-/.test(line) ? line.slice(0, space) : '';
    const text = withoutColours(time === '' ? line : line.slice(space + 1)).slice(0, lineLengthMax);
    this.#lines.push({ id: this.#nextId++, source, time, text });
  }

  /** Takes away what is too much; called once after many lines. */
  trim(): void {
    this.#lines = this.#lines.slice(-linesMax);
  }
}

/** Terminals' own commands: colours and the like. */
// oxlint-disable-next-line no-control-regex
const commands = /\u001B\[[0-9;?]*[ -/]*[@-~]/g;

const withoutColours = (text: string): string =>
  text.includes('\u001B') ? text.replaceAll(commands, '') : text;
