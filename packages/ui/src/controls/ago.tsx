/** How long ago something was, as kubectl says it, and kept true while it is shown. */

import { signal } from '@preact/signals';

/** One clock for all; it stands while nobody sees the page. */
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 5000);

export const Ago = ({ time }: { readonly time: string | undefined }) =>
  time === undefined ? null : (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {age(now.value - Date.parse(time))}
    </time>
  );

/** `5s`, `3m12s`, `4h`, `2d3h` */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  return days < 8 ? pair(days, 'd', hours % 24, 'h') : `${days}d`;
}

const pair = (large: number, unit: string, small: number, smaller: string): string =>
  small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smaller}`;
