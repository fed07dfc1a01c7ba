import type { Live } from '@coxswain/apimachinery';
import type { Event } from '@coxswain/api/core/v1/event.ts';
import { eventOf, type ReportedEvent } from '../../cluster/event.ts';
import { objectSource } from '../../cluster/object-source.ts';
import { scopedSpec } from '../../cluster/scope.ts';

export const overviewEvents = scopedSpec<Live<Event>, ReportedEvent>({
  key: 'overview events',
  kind: { group: '', version: 'v1', resource: 'events' },
  sourceOf: (events) => objectSource(events, {}, eventOf),
});
