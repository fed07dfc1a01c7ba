import * as t from '@coxswain/schema';
import * as v1 from './v1/event.ts';

export const EventSeries = t.struct('events/v1beta1.EventSeries', {
  count: t.always(1, t.int32),
  lastObservedTime: t.always(2, t.microTime),
});
export interface EventSeries extends t.Static<typeof EventSeries> {}

export const Event = t.kindIn(
  'events/v1beta1',
  v1.Event,
  {
    fields: { eventTime: t.always(2, t.microTime), series: t.pointer(3, EventSeries) },
    shared: ['columns', 'selectableFields'],
  },
  { metadataSelectors: 'listed' },
);
export interface Event extends t.Static<typeof Event> {}
