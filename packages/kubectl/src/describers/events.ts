import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { goSort } from '@coxswain/apimachinery/go-sort.ts';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import type { DescriptionText } from './text.ts';

export type Event = Live<core.Event>;

const since = (timestamp: string | null | undefined, nowMs: number): string =>
  timestamp ? humanDuration(nowMs - Date.parse(timestamp)) : '<unknown>';

/** The age, and how often the event occurred in which time. */
export function eventInterval(event: Event, nowMs: number): string {
  const first = event.eventTime ? since(event.eventTime, nowMs) : since(event.firstTimestamp, nowMs);
  if (event.series)
    return `${since(event.series.lastObservedTime, nowMs)} (x${event.series.count} over ${first})`;
  if ((event.count ?? 0) > 1) return `${since(event.lastTimestamp, nowMs)} (x${event.count} over ${first})`;
  return first;
}

export const eventLastSeen = (event: Event): number =>
  Date.parse(
    event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp ?? '',
  ) || 0;

const lastTimestampMs = ({ lastTimestamp }: Event): number => (lastTimestamp ? Date.parse(lastTimestamp) : 0);

/** Nothing if events weren't requested. */
export function describeEvents(
  text: DescriptionText,
  events: readonly Event[] | undefined,
  nowMs: number,
): void {
  if (events === undefined) return;
  if (events.length === 0) return text.line(0, 'Events:\t<none>');
  text.flush();
  text.line(0, 'Events:');
  text.line(1, 'Type\tReason\tAge\tFrom\tMessage');
  text.line(1, '----\t------\t----\t----\t-------');
  // As upstream, only this timestamp counts: events of the newer API, which lack it, come first.
  const sorted = goSort([...events], (a, b) => lastTimestampMs(a) < lastTimestampMs(b));
  for (const event of sorted) {
    const source = event.source?.component || event.reportingComponent || '';
    const path = event.involvedObject?.fieldPath ? `${event.involvedObject.fieldPath}: ` : '';
    const cells = [
      event.type,
      event.reason,
      eventInterval(event, nowMs),
      source,
      path + (event.message ?? '').trim(),
    ];
    text.line(1, cells.map((cell) => cell ?? '').join('\t'));
  }
}
