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
import { Event as EventV1 } from '../v1/event.ts';

export const EventSeries = struct('events/v1beta1.EventSeries', {
  count: always(1, int32),
  lastObservedTime: always(2, microTime),
});
export interface EventSeries extends Static<typeof EventSeries> {}

/** The rules of v1 are stricter; its members are the same. */
const { columns, selectableFields } = EventV1.behaviour;

export const Event = kind(
  'events/v1beta1.Event',
  'events.k8s.io/v1beta1',
  { plural: 'events', shortNames: ['ev'], namespaced: true },
  {
    metadata: always(1, ObjectMeta, { go: 'ObjectMeta' }),
    eventTime: always(2, microTime),
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
  { columns: columns!, selectableFields: selectableFields!, metadataSelectors: 'listed' },
);
export interface Event extends Static<typeof Event> {}
