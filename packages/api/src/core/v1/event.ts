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
import { EventSource } from './event-source.ts';
import { ObjectReference } from './object-reference.ts';
import { eventColumns } from './event-columns.ts';
import { validateCoreEvent } from './event-validation.ts';

export const EventSeries = struct('core/v1.EventSeries', {
  count: optional(1, int32),
  lastObservedTime: optional(2, microTime),
});
export interface EventSeries extends Static<typeof EventSeries> {}

export const Event = kind(
  'core/v1.Event',
  'v1',
  { plural: 'events', shortNames: ['ev'], namespaced: true },
  {
    metadata: always(1, ObjectMeta, { required: true, go: 'ObjectMeta' }),
    involvedObject: always(2, ObjectReference, { required: true }),
    reason: optional(3, string),
    message: optional(4, string),
    source: optional(5, EventSource),
    firstTimestamp: optional(6, time),
    lastTimestamp: optional(7, time),
    count: optional(8, int32),
    type: optional(9, string),
    eventTime: optional(10, microTime),
    series: pointer(11, EventSeries),
    action: optional(12, string),
    related: pointer(13, ObjectReference),
    reportingComponent: always(14, string, { go: 'ReportingController' }),
    reportingInstance: always(15, string),
  },
  {
    validate: validateCoreEvent,
    columns: eventColumns((event) => event),
    selectableFields: {
      type: ({ type }) => type ?? '',
      'involvedObject.kind': ({ involvedObject }) => involvedObject?.kind ?? '',
      'involvedObject.namespace': ({ involvedObject }) => involvedObject?.namespace ?? '',
      'involvedObject.name': ({ involvedObject }) => involvedObject?.name ?? '',
      'involvedObject.uid': ({ involvedObject }) => involvedObject?.uid ?? '',
      'involvedObject.apiVersion': ({ involvedObject }) => involvedObject?.apiVersion ?? '',
      'involvedObject.resourceVersion': ({ involvedObject }) => involvedObject?.resourceVersion ?? '',
      'involvedObject.fieldPath': ({ involvedObject }) => involvedObject?.fieldPath ?? '',
      reason: ({ reason }) => reason ?? '',
      reportingComponent: ({ reportingComponent }) => reportingComponent ?? '',
      source: ({ source, reportingComponent }) => source?.component || (reportingComponent ?? ''),
    },
    metadataSelectors: 'listed',
  },
);
export interface Event extends Static<typeof Event> {}
