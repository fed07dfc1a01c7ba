import { optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const EventSource = struct('core/v1.EventSource', {
  component: optional(1, string),
  host: optional(2, string),
});
export interface EventSource extends Static<typeof EventSource> {}
