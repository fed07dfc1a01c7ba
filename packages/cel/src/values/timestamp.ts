/** A point in time, with nanoseconds. */
export class Timestamp {
  /** Since the start of 1970. */
  readonly seconds: number;
  /** 0 to 999,999,999 */
  readonly nanoseconds: number;
  /** The zone in which it was written and is displayed, positive east of UTC. */
  readonly offsetMinutes: number;

  constructor(seconds: number, nanoseconds: number, offsetMinutes = 0) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
    this.offsetMinutes = offsetMinutes;
  }
}

/** The first second of year 1 and the last of year 9999. */
export const timestampSecondsMin = -62_135_596_800;
export const timestampSecondsMax = 253_402_300_799;

export const isTimestampInRange = (seconds: number): boolean =>
  seconds >= timestampSecondsMin && seconds <= timestampSecondsMax;

const nanosecondsPerSecond = 1_000_000_000n;

export const timestampNanoseconds = ({ seconds, nanoseconds }: Timestamp): bigint =>
  BigInt(seconds) * nanosecondsPerSecond + BigInt(nanoseconds);

/** Undefined outside the years 1 to 9999. */
export function timestampFromNanoseconds(total: bigint, offsetMinutes = 0): Timestamp | undefined {
  const remainder = ((total % nanosecondsPerSecond) + nanosecondsPerSecond) % nanosecondsPerSecond;
  const seconds = Number((total - remainder) / nanosecondsPerSecond);
  return isTimestampInRange(seconds) ? new Timestamp(seconds, Number(remainder), offsetMinutes) : undefined;
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** RFC 3339, parsed as leniently as by Go; undefined if invalid. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const found = rfc3339.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = found;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour ?? 0) > 24 || Number(offsetMinute ?? 0) > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const offsetMinutes = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * (sign === '-' ? -1 : 1);
  const nanoseconds = Number(fraction.slice(0, 9).padEnd(9, '0'));
  return new Timestamp(date.getTime() / 1000 + clock - offsetMinutes * 60, nanoseconds, offsetMinutes);
}

/** `2026-01-02T03:04:05.6Z` */
export function formatTimestamp({ seconds, nanoseconds, offsetMinutes }: Timestamp): string {
  const whole = new Date((seconds + offsetMinutes * 60) * 1000).toISOString().slice(0, 19);
  const fraction = nanoseconds.toString().padStart(9, '0').replace(/0+$/, '');
  return `${whole}${fraction === '' ? '' : `.${fraction}`}${formatOffset(offsetMinutes)}`;
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const magnitude = Math.abs(minutes);
  const twoDigits = (value: number): string => value.toString().padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.trunc(magnitude / 60))}:${twoDigits(magnitude % 60)}`;
}
