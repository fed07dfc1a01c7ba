/** Formats ages as in tables: exact when short, coarse when long. */

import { epochMsOf } from './time.ts';

/** `5s`, `3m20s`, `2h5m`, `7d4h`, `3y15d`; negative beyond clock skew is `<invalid>`. */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return withRest(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 2920 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
}

/** The age of a stored time; `<unknown>` when there is none. */
export const timeSince = (time: string | null | undefined, nowMs: number): string =>
  time ? humanDuration(nowMs - epochMsOf(time)) : '<unknown>';

const withRest = (whole: number, unit: string, rest: number, restUnit: string): string =>
  rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${restUnit}`;
