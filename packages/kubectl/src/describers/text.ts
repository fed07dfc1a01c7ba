/** The text of a description: indented lines, with tabs aligned block by block. */
import { alignTabs } from '../printers/tab-writer.ts';

/** The indentation per level, in columns. */
const levelColumns = 2;

export class DescriptionText {
  readonly #aligned: boolean;
  #done = '';
  #block = '';

  /** Without alignment, tabs remain in the text. */
  constructor({ aligned = true }: { readonly aligned?: boolean } = {}) {
    this.#aligned = aligned;
  }

  /** A line, indented by its level. */
  line(level: number, text: string): void {
    this.start(level, `${text}\n`);
  }

  /** A line that what follows continues. */
  start(level: number, text: string): void {
    this.#block += `${' '.repeat(level * levelColumns)}${shownLiterally(text)}`;
  }

  /** `Name:\tvalue` */
  field(level: number, name: string, value: unknown): void {
    this.line(level, `${name}:\t${value === undefined || value === null ? '' : String(value)}`);
  }

  /** The same, but only if there is a value. */
  optional(level: number, name: string, value: unknown): void {
    if (value !== undefined && value !== null && value !== '') this.field(level, name, value);
  }

  /** The following lines are aligned separately. */
  flush(): void {
    this.#done += this.#aligned ? alignTabs(this.#block, { widthMin: 0, padding: 2 }) : this.#block;
    this.#block = '';
  }

  toString(): string {
    this.flush();
    return this.#done;
  }
}

/** Escapes control characters, so that an object's text can't control the terminal. */
const shownLiterally = (text: string): string =>
  text.replaceAll('\u001b', '^[').replaceAll('\r', String.raw`\r`);

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** RFC 1123 with a numeric zone, in local time: `Mon, 02 Jan 2006 15:04:05 -0700`. */
export function timeText(timestamp: string | undefined | null): string {
  if (!timestamp) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const time = new Date(timestamp);
  const date = `${days[time.getDay()]}, ${two(time.getDate())} ${months[time.getMonth()]} ${time.getFullYear()}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())} ${zoneText(time)}`;
}

/** The local time zone at that moment: `-0700`. */
export function zoneText(time: Date): string {
  const offset = -time.getTimezoneOffset();
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`;
}

export const orNone = (text: string): string => (text === '' ? '<none>' : text);
export const boolText = (value: boolean | undefined): string =>
  value === undefined ? '<unset>' : value ? 'True' : 'False';
