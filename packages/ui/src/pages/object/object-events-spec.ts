import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Event } from '@coxswain/api/core/v1/event.ts';
import { client } from '../../cluster/cluster.ts';
import { eventOf, type ReportedEvent } from '../../cluster/event.ts';
import { objectSource } from '../../cluster/object-source.ts';
import type { LiveSpec } from '../../cluster/use-live.ts';

/** The events about an object. */
export function objectEventsSpec({ metadata: { uid = '', namespace } }: KubeObject): LiveSpec<ReportedEvent> {
  return {
    key: `events of ${uid}`,
    source: objectSource(
      client.resource<Live<Event>>('v1', 'events').namespace(namespace ?? 'default'),
      { fieldSelector: `involvedObject.uid=${uid}` },
      eventOf,
    ),
  };
}
