import * as t from '@coxswain/schema';
import { EventSource } from '../../core/v1/event-source.ts';
import { ObjectReference } from '../../core/v1/object-reference.ts';
import { eventColumns } from '../../core/v1/event-columns.ts';
import { validateStrictEvent, type EventObject } from '../../core/v1/event-validation.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

export const EventSeries = t.struct('events/v1.EventSeries', {
  count: t.always(1, t.int32, { required: true }),
  lastObservedTime: t.always(2, t.microTime, { required: true }),
});
export interface EventSeries extends t.Static<typeof EventSeries> {}

export const Event = t.kind(
  'events/v1.Event',
  'events.k8s.io/v1',
  { plural: 'events', shortNames: ['ev'], namespaced: true },
  {
    metadata: t.always(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    eventTime: t.always(2, t.microTime, { required: true }),
    series: t.pointer(3, EventSeries),
    reportingController: t.optional(4, t.string),
    reportingInstance: t.optional(5, t.string),
    action: t.optional(6, t.string),
    reason: t.optional(7, t.string),
    regarding: t.optional(8, ObjectReference),
    related: t.pointer(9, ObjectReference),
    note: t.optional(10, t.string),
    type: t.optional(11, t.string),
    deprecatedSource: t.optional(12, EventSource),
    deprecatedFirstTimestamp: t.optional(13, t.time),
    deprecatedLastTimestamp: t.optional(14, t.time),
    deprecatedCount: t.optional(15, t.int32),
  },
  {
    validate: (event, old) => validateStrictEvent(asCore(event), old === undefined ? undefined : asCore(old)),
    columns: eventColumns(asCore),
    selectableFields: {
      type: ({ type }) => type ?? '',
      'regarding.kind': ({ regarding }) => regarding?.kind ?? '',
      'regarding.name': ({ regarding }) => regarding?.name ?? '',
      'regarding.namespace': ({ regarding }) => regarding?.namespace ?? '',
      reason: ({ reason }) => reason ?? '',
      reportingController: ({ reportingController }) => reportingController ?? '',
      'regarding.apiVersion': ({ regarding }) => regarding?.apiVersion ?? '',
      'regarding.fieldPath': ({ regarding }) => regarding?.fieldPath ?? '',
      'regarding.resourceVersion': ({ regarding }) => regarding?.resourceVersion ?? '',
      'regarding.uid': ({ regarding }) => regarding?.uid ?? '',
    },
    metadataSelectors: 'listed',
  },
);
export interface Event extends t.Static<typeof Event> {}

interface StrictEvent
  extends
    MetaObject,
    Pick<
      EventObject,
      'eventTime' | 'series' | 'type' | 'reason' | 'action' | 'related' | 'reportingInstance'
    > {
  regarding?: ObjectReference;
  note?: string;
  reportingController?: string;
  deprecatedSource?: EventSource;
  deprecatedFirstTimestamp?: string;
  deprecatedLastTimestamp?: string;
  deprecatedCount?: number;
}

/** With the fields of core/v1, the older API of events. */
function asCore(event: StrictEvent): EventObject {
  return {
    ...event,
    involvedObject: event.regarding ?? {},
    message: event.note,
    reportingComponent: event.reportingController,
    source: event.deprecatedSource,
    firstTimestamp: event.deprecatedFirstTimestamp,
    lastTimestamp: event.deprecatedLastTimestamp,
    count: event.deprecatedCount,
  };
}
