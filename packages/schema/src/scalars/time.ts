/**
 * metav1.Time and metav1.MicroTime: RFC 3339 as Go's time package parses it, written in UTC. Time has only seconds (a
 * fraction is parsed and dropped), MicroTime exactly six decimals.
 */

import { goTimeQuote } from './go-quote.ts';

export interface Instant {
  /** Since 1970-01-01T00:00:00Z; negative before. */
  readonly seconds: number;
  /** 0 … 999,999,999 */
  readonly nanoseconds: number;
}

const timeLayout = '2006-01-02T15:04:05Z07:00';
const microTimeLayout = '2006-01-02T15:04:05.000000Z07:00';

/** @throws Error with Go's message: `parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"` */
export const parseTime = (text: string): Instant => new TimeReader(text, timeLayout, false).read();

/** Like {@link parseTime}; requires a fraction of six digits. */
const parseMicroTime = (text: string): Instant => new TimeReader(text, microTimeLayout, true).read();

/** Formats milliseconds since the epoch: `2026-01-02T03:04:05Z`. */
export function formatTime(epochMs: number): string {
  const seconds = Math.floor(epochMs / 1000);
  // Many objects are written in the same second.
  if (seconds !== latest.seconds) latest = { seconds, text: `${isoText(seconds)}Z` };
  return latest.text;
}

let latest = { seconds: Number.NaN, text: '' };

/** Formats milliseconds since the epoch, including fractions of a millisecond: `2026-01-02T03:04:05.678000Z`. */
export function formatMicroTime(epochMs: number): string {
  const seconds = Math.floor(epochMs / 1000);
  const micros = Math.floor((epochMs - seconds * 1000) * 1000);
  return `${isoText(seconds)}.${micros.toString().padStart(6, '0')}Z`;
}

/** In UTC, with six decimals or none; finer digits are dropped. */
export function formatInstant({ seconds, nanoseconds }: Instant, decimals: 0 | 6): string {
  if (decimals === 0) return `${isoText(seconds)}Z`;
  return `${isoText(seconds)}.${Math.floor(nanoseconds / 1000)
    .toString()
    .padStart(6, '0')}Z`;
}

/** The milliseconds since the epoch of a stored time or micro time. @throws as {@link parseTime} */
export function epochMsOf(text: string): number {
  const { seconds, nanoseconds } = parseTime(text);
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The form in which a time is stored and returned. @throws as {@link parseTime} */
export function canonicalTime(text: string): string {
  return storedTime.test(text) && dayExists(text) ? text : `${isoText(parseTime(text).seconds)}Z`;
}

/** @throws as {@link parseMicroTime} */
export function canonicalMicroTime(text: string): string {
  if (storedMicroTime.test(text) && dayExists(text)) return text;
  const { seconds, nanoseconds } = parseMicroTime(text);
  return `${isoText(seconds)}.${Math.floor(nanoseconds / 1000)
    .toString()
    .padStart(6, '0')}Z`;
}

const storedTime = /^\d{4}-(0[1-9]|1[0-2])-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

const storedMicroTime = /^\d{4}-(0[1-9]|1[0-2])-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/;

/** Whether the month has this day; `text` begins like a stored time. */
function dayExists(text: string): boolean {
  const day = twoDigits(text, 8);
  // Every month has 28 days.
  if (day <= 28) return day > 0;
  return day <= daysOf(Number(text.slice(0, 4)), twoDigits(text, 5));
}

const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - zeroDigit) * 10 + text.charCodeAt(at + 1) - zeroDigit;

const zeroDigit = 0x30;

/** `2026-01-02T03:04:05`; years beyond 9999 as Go prints them. */
function isoText(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  if (text.length === usualLength) return text.slice(0, 19);
  const year = /^[+-]/.test(text) ? String(Number(text.slice(0, 7))).padStart(4, '0') : text.slice(0, 4);
  return year + text.slice(text.indexOf('-', 1), -5);
}

/** The length of toISOString for years of four digits. */
const usualLength = '2006-01-02T15:04:05.000Z'.length;

class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  readonly #micro: boolean;
  #rest: string;

  constructor(text: string, layout: string, micro: boolean) {
    this.#text = text;
    this.#layout = layout;
    this.#micro = micro;
    this.#rest = text;
  }

  read(): Instant {
    const year = this.#number(/^[0-9]{4}/, '2006');
    this.#literal('-');
    const month = this.#number(/^[0-9]{2}/, '01');
    if (month < 1 || month > 12) this.#outOfRange('month');
    this.#literal('-');
    const day = this.#number(/^[0-9]{2}/, '02');
    this.#literal('T');
    const hour = this.#number(/^[0-9]{1,2}/, '15');
    if (hour > 23) this.#outOfRange('hour');
    this.#literal(':');
    const minute = this.#number(/^[0-9]{2}/, '04');
    if (minute > 59) this.#outOfRange('minute');
    this.#literal(':');
    const second = this.#number(/^[0-9]{2}/, '05');
    if (second > 59) this.#outOfRange('second');
    const nanoseconds = this.#micro ? this.#sixDecimals() : this.#anyFraction();
    const offsetSeconds = this.#zone();
    if (this.#rest !== '') this.#fail(`: extra text: ${goTimeQuote(this.#rest)}`);
    if (day < 1 || day > daysOf(year, month)) this.#outOfRange('day');
    const utc = new Date(0);
    utc.setUTCFullYear(year, month - 1, day);
    utc.setUTCHours(hour, minute, second);
    return { seconds: utc.getTime() / 1000 - offsetSeconds, nanoseconds };
  }

  #number(pattern: RegExp, element: string): number {
    return Number(this.#take(pattern, element));
  }

  #literal(character: string): void {
    if (!this.#rest.startsWith(character)) this.#cannotParse(this.#rest, character);
    this.#rest = this.#rest.slice(1);
  }

  #anyFraction(): number {
    const fraction = /^[.,]([0-9]+)/.exec(this.#rest);
    if (fraction === null) return 0;
    this.#rest = this.#rest.slice(fraction[0].length);
    return Number(fraction[1]!.slice(0, 9).padEnd(9, '0'));
  }

  #sixDecimals(): number {
    return Number(this.#take(/^[.,][0-9]{6}/, '.000000').slice(1)) * 1000;
  }

  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const zone = this.#take(/^[+-][0-9]{2}:[0-9]{2}/, 'Z07:00');
    const hours = Number(zone.slice(1, 3));
    const minutes = Number(zone.slice(4));
    if (hours > 24) this.#outOfRange('time zone offset hour');
    if (minutes > 60) this.#outOfRange('time zone offset minute');
    return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
  }

  #take(pattern: RegExp, element: string): string {
    const found = pattern.exec(this.#rest)?.[0];
    if (found === undefined) return this.#cannotParse(this.#rest, element);
    this.#rest = this.#rest.slice(found.length);
    return found;
  }

  #cannotParse(rest: string, element: string): never {
    throw new Error(
      `parsing time ${goTimeQuote(this.#text)} as ${goTimeQuote(this.#layout)}: cannot parse ${goTimeQuote(rest)} as ${goTimeQuote(element)}`,
    );
  }

  #outOfRange(what: string): never {
    this.#fail(`: ${what} out of range`);
  }

  #fail(tail: string): never {
    throw new Error(`parsing time ${goTimeQuote(this.#text)}${tail}`);
  }
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
