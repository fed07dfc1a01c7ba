/** Local time in a time zone. */

export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** Sunday is 0. */
  readonly weekday: number;
  /** East of Greenwich. */
  readonly offsetMinutes: number;
  /** `+02:00`; `Z` for UTC. */
  readonly offset: string;
}

export type WallClock = (atMs: number) => WallTime;

/** @throws Error with Go's message for an unknown time zone */
export function wallClock(zone: string): WallClock {
  if (['UTC', '', 'Local', 'Factory'].includes(zone)) return (atMs) => wallTime(atMs, 0);
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (error) {
    throw new Error(`unknown time zone ${zone}`, { cause: error });
  }
  return (atMs) => wallTime(atMs, offsetOf(format, atMs));
}

/** RFC 3339 with the zone's offset. */
export function formatZoned(atMs: number, clock: WallClock): string {
  const { offset, offsetMinutes } = clock(atMs);
  return new Date(atMs + offsetMinutes * 60_000).toISOString().replace(/\.\d+Z$/, offset);
}

function offsetOf(format: Intl.DateTimeFormat, atMs: number): number {
  const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const match = /^GMT([+-])(\d{2}):(\d{2})/.exec(name);
  return match === null ? 0 : (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

function wallTime(atMs: number, minutes: number): WallTime {
  const shown = new Date(atMs + minutes * 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    weekday: shown.getUTCDay(),
    offsetMinutes: minutes,
    offset: minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`,
  };
}
