import { Event as CoreEvent } from '@coxswain/api/core/v1/event.ts';
import { Event } from '@coxswain/api/events/v1/event.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';
import { eventsV1Conversion } from './convert-core.ts';
import { eventLifetime, eventStrategy } from './event-strategy.ts';

/** One store for both groups; it holds the older form. */
export const eventResource = resource(CoreEvent, {
  ...eventStrategy,
  serverStrategy: eventLifetime,
  alsoAs: [{ kind: Event, conversion: eventsV1Conversion }],
});

export const eventsGroup: Group = {
  name: 'events.k8s.io',
  versions: [served('v1')],
  resources: [eventResource],
};
