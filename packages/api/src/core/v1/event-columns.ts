import type { Column } from '@coxswain/schema';
import { column, nameColumn, wideColumn } from '../../meta/columns.ts';
import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

/** An event with the fields of core/v1; events.k8s.io/v1 has other names for some of them. */
export interface EventParts extends MetaObject {
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  count?: number;
  series?: { count?: number; lastObservedTime?: string | null };
  type?: string;
  reason?: string;
  message?: string;
  involvedObject?: { kind?: string; name?: string; fieldPath?: string };
  source?: { component?: string; host?: string };
  reportingComponent?: string;
  reportingInstance?: string;
}

export const eventColumns = <T extends MetaObject>(
  partsOf: (event: T) => EventParts,
): readonly Column<T>[] => [
  column('Last Seen', (event, nowMs) => lastSeen(partsOf(event), nowMs)),
  column('Type', (event) => partsOf(event).type ?? ''),
  column('Reason', (event) => partsOf(event).reason ?? ''),
  column('Object', (event) => {
    const { kind = '', name } = partsOf(event).involvedObject ?? {};
    return name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase();
  }),
  wideColumn('Subobject', (event) => partsOf(event).involvedObject?.fieldPath ?? ''),
  wideColumn('Source', (event) => {
    const { source, reportingComponent, reportingInstance } = partsOf(event);
    const instance = source?.host || reportingInstance;
    const component = source?.component || reportingComponent || '';
    return instance ? `${component}, ${instance}` : component;
  }),
  column('Message', (event) => (partsOf(event).message ?? '').trim()),
  wideColumn('First Seen', (event, nowMs) => firstSeen(partsOf(event), nowMs)),
  wideColumn('Count', (event) => countOf(partsOf(event))),
  { ...nameColumn, priority: 1 },
];

/** A series takes precedence, even without a count. */
const countOf = ({ series, count }: EventParts): number =>
  series == null ? count || 1 : (series.count ?? 0);

function lastSeen(event: EventParts, nowMs: number): string {
  if (event.series != null) return timeSince(event.series.lastObservedTime, nowMs);
  return event.lastTimestamp ? timeSince(event.lastTimestamp, nowMs) : firstSeen(event, nowMs);
}

const firstSeen = (event: EventParts, nowMs: number): string =>
  timeSince(event.firstTimestamp || event.eventTime, nowMs);
