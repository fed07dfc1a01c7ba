import * as t from '@coxswain/schema';
import { EventSource } from './event-source.ts';
import { ObjectReference } from './object-reference.ts';
import { eventColumns } from './event-columns.ts';
import { validateCoreEvent } from './event-validation.ts';

export const EventSeries = t.struct('core/v1.EventSeries', {
  count: t.optional(1, t.int32),
  lastObservedTime: t.optional(2, t.microTime),
});
export interface EventSeries extends t.Static<typeof EventSeries> {}

export const Event = t.kind(
  'core/v1.Event',
  'v1',
  { plural: 'events', shortNames: ['ev'], namespaced: true },
  {
    metadata: t.always(1, t.ObjectMeta, { required: true, go: 'ObjectMeta' }),
    involvedObject: t.always(2, ObjectReference, { required: true }),
    reason: t.optional(3, t.string),
    message: t.optional(4, t.string),
    source: t.optional(5, EventSource),
    firstTimestamp: t.optional(6, t.time),
    lastTimestamp: t.optional(7, t.time),
    count: t.optional(8, t.int32),
    type: t.optional(9, t.string),
    eventTime: t.optional(10, t.microTime),
    series: t.pointer(11, EventSeries),
    action: t.optional(12, t.string),
    related: t.pointer(13, ObjectReference),
    reportingComponent: t.always(14, t.string, { go: 'ReportingController' }),
    reportingInstance: t.always(15, t.string),
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
export interface Event extends t.Static<typeof Event> {}
