import {
  always,
  int32,
  kind,
  microTime,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { EventSource } from '../../core/v1/event-source.ts';
import { ObjectReference } from '../../core/v1/object-reference.ts';
import { eventColumns } from '../../core/v1/event-columns.ts';
import { validateStrictEvent } from '../../core/v1/event-validation.ts';
import type { EventObject } from '../../core/v1/event-validation.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

export const EventSeries = struct('events/v1.EventSeries', {
  count: always(1, int32, { required: true }),
  lastObservedTime: always(2, microTime, { required: true }),
});
export interface EventSeries extends Static<typeof EventSeries> {}

export const Event = kind(
  'events/v1.Event',
  'events.k8s.io/v1',
  { plural: 'events', shortNames: ['ev'], namespaced: true },
  {
    metadata: always(1, ObjectMeta, { go: 'ObjectMeta' }),
    eventTime: always(2, microTime, { required: true }),
    series: pointer(3, EventSeries),
    reportingController: optional(4, string),
    reportingInstance: optional(5, string),
    action: optional(6, string),
    reason: optional(7, string),
    regarding: optional(8, ObjectReference),
    related: pointer(9, ObjectReference),
    note: optional(10, string),
    type: optional(11, string),
    deprecatedSource: optional(12, EventSource),
    deprecatedFirstTimestamp: optional(13, time),
    deprecatedLastTimestamp: optional(14, time),
    deprecatedCount: optional(15, int32),
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
export interface Event extends Static<typeof Event> {}

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

/** In the members of core/v1, where events were first. */
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
