import { clusterNowMs } from '../cluster/cluster-time.ts';

/** `10:32:05`, preceded by the date if it is not today. */
export function clockTime(timeMs: number): string {
  const time = new Date(timeMs);
  const isToday = time.toDateString() === new Date(clusterNowMs()).toDateString();
  const day = isToday ? '' : `${time.toLocaleDateString()} `;
  return `${day}${[time.getHours(), time.getMinutes(), time.getSeconds()].map(padded).join(':')}`;
}

const padded = (part: number): string => String(part).padStart(2, '0');
