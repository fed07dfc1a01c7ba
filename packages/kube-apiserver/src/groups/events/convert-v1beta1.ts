/** events.k8s.io/v1beta1 has the members of v1. */
import { Event } from '@coxswain/api/events/v1beta1.ts';
import type { Conversion } from '@coxswain/apiserver';
import { eventsV1Conversion } from './convert-core.ts';

export const eventsV1beta1Conversion: Conversion = {
  toStorage: eventsV1Conversion.toStorage,
  fromStorage: (object) => ({ ...eventsV1Conversion.fromStorage(object), apiVersion: Event.apiVersion }),
};
