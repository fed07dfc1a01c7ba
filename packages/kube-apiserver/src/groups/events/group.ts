import { Event as CoreEvent } from '@coxswain/api/core/v1/event.ts';
import { Event } from '@coxswain/api/events/v1/event.ts';
import { Event as EventV1beta1 } from '@coxswain/api/events/v1beta1.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../resource.ts';
import { eventsV1Conversion } from './convert-core.ts';
import { eventsV1beta1Conversion } from './convert-v1beta1.ts';
import { eventLifetime, eventStrategy } from './event-strategy.ts';

/** One store for both groups; it stores the core group's form. */
export const eventResource = resource(CoreEvent, {
  ...eventStrategy,
  serverStrategy: eventLifetime,
  alsoAs: [
    { kind: Event, conversion: eventsV1Conversion },
    legacy(EventV1beta1, { conversion: eventsV1beta1Conversion }),
  ],
});

export const eventsGroup: Group = {
  name: 'events.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta1')],
  resources: [eventResource],
};
