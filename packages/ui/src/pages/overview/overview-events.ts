import type { Live } from '@coxswain/apimachinery';
import type { Event } from '@coxswain/api/core/v1/event.ts';
import { client } from '../../cluster/cluster.ts';
import { eventOf, type ReportedEvent } from '../../cluster/event.ts';
import { objectSource } from '../../cluster/object-source.ts';
import type { LiveSpec } from '../../cluster/use-live.ts';

export const overviewEvents: LiveSpec<ReportedEvent> = {
  key: 'overview events',
  source: objectSource(client.resource<Live<Event>>('v1', 'events'), {}, eventOf),
};
