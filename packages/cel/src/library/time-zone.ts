/** The offset of a time zone from UTC. */

import { CelError } from '../values/error.ts';

/** The maximum number of cached formatters; the oldest are dropped first. */
const zonesMax = 64;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** @param zone `-08:00`, `UTC` or a name of the IANA database; the offset is in seconds, positive east of UTC */
export function zoneOffsetSeconds(zone: string, atSeconds: number): number | CelError {
  const colon = zone.indexOf(':');
  if (colon >= 0) return fixedOffset(zone.slice(0, colon), zone.slice(colon + 1));
  if (zone === '' || zone === 'UTC') return 0;
  const formatter = formatterOf(zone);
  return formatter ? offsetAt(formatter, atSeconds) : new CelError(`unknown time zone ${zone}`);
}

function fixedOffset(hoursText: string, minutesText: string): number | CelError {
  for (const text of [hoursText, minutesText]) {
    if (!/^[+-]?\d+$/.test(text))
      return new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const hours = Number(hoursText);
  const minutes = Number(minutesText);
  return (hoursText.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60;
}

function formatterOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(zone);
  if (known) return known;
  const formatter = newFormatter(zone);
  if (!formatter) return undefined;
  if (formatters.size >= zonesMax) formatters.delete(formatters.keys().next().value!);
  formatters.set(zone, formatter);
  return formatter;
}

function newFormatter(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
}

function offsetAt(formatter: Intl.DateTimeFormat, atSeconds: number): number {
  const parts = new Map(formatter.formatToParts(atSeconds * 1000).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const local = new Date(0);
  local.setUTCFullYear(number('year'), number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'));
  return local.getTime() / 1000 - atSeconds;
}
