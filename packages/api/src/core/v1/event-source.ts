import * as t from '@coxswain/schema';

export const EventSource = t.struct('core/v1.EventSource', {
  component: t.optional(1, t.string),
  host: t.optional(2, t.string),
});
export interface EventSource extends t.Static<typeof EventSource> {}
