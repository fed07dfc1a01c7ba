/** Converts between events.k8s.io/v1 and the core group's Event, which differ in field names. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Conversion } from '@coxswain/apiserver';
import type { Event as CoreEvent } from '@coxswain/api/core/v1/event.ts';
import type { Event } from '@coxswain/api/events/v1/event.ts';
import { as } from '../any-object.ts';
import { defined } from '../defined.ts';

export const eventsV1Conversion: Conversion = {
  toStorage: (object) => as<KubeObject>(toCore(as<Event>(object))),
  fromStorage: (object) => as<KubeObject>(fromCore(as<CoreEvent>(object))),
};

/** Members that are always written, such as unset times, are included as in decoded objects. */
function toCore(event: Event): CoreEvent {
  return {
    ...defined({
      kind: 'Event',
      apiVersion: 'v1',
      metadata: event.metadata,
      involvedObject: event.regarding ?? {},
      reason: event.reason,
      message: event.note,
      source: event.deprecatedSource ?? {},
      count: event.deprecatedCount,
      type: event.type,
      series: event.series && {
        ...defined({ count: event.series.count || undefined }),
        lastObservedTime: event.series.lastObservedTime ?? null,
      },
      action: event.action,
      related: event.related,
      reportingComponent: event.reportingController ?? '',
      reportingInstance: event.reportingInstance ?? '',
    }),
    firstTimestamp: event.deprecatedFirstTimestamp ?? null,
    lastTimestamp: event.deprecatedLastTimestamp ?? null,
    eventTime: event.eventTime ?? null,
  } as CoreEvent;
}

function fromCore(event: CoreEvent): Event {
  return {
    ...defined({
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      metadata: event.metadata,
      series: event.series && {
        count: event.series.count ?? 0,
        lastObservedTime: event.series.lastObservedTime ?? null,
      },
      reportingController: event.reportingComponent,
      reportingInstance: event.reportingInstance,
      action: event.action,
      reason: event.reason,
      regarding: event.involvedObject,
      related: event.related,
      note: event.message,
      type: event.type,
      deprecatedSource: event.source,
      deprecatedCount: event.count,
    }),
    eventTime: event.eventTime ?? null,
    deprecatedFirstTimestamp: event.firstTimestamp ?? null,
    deprecatedLastTimestamp: event.lastTimestamp ?? null,
  } as Event;
}
