import * as t from '@coxswain/schema';
import { EventSource } from '../../core/v1/event-source.ts';
import { ObjectReference } from '../../core/v1/object-reference.ts';
import { Event as EventV1 } from '../v1/event.ts';

export const EventSeries = t.struct('events/v1beta1.EventSeries', {
  count: t.always(1, t.int32),
  lastObservedTime: t.always(2, t.microTime),
});
export interface EventSeries extends t.Static<typeof EventSeries> {}

/** The rules of v1 are stricter; its members are the same. */
const { columns, selectableFields } = EventV1.behaviour;

export const Event = t.kind(
  'events/v1beta1.Event',
  'events.k8s.io/v1beta1',
  { plural: 'events', shortNames: ['ev'], namespaced: true },
  {
    metadata: t.always(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    eventTime: t.always(2, t.microTime),
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
  { columns: columns!, selectableFields: selectableFields!, metadataSelectors: 'listed' },
);
export interface Event extends t.Static<typeof Event> {}
