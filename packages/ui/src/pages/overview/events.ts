import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Event } from '@coxswain/api/core/v1/event.ts';
import { client } from '../../cluster/cluster.ts';
import { objectSource } from '../../cluster/object-source.ts';
import type { LiveSpec } from '../../cluster/use-live.ts';

export interface OverviewEvent extends KubeObject {
  readonly isWarning: boolean;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly timeMs: number;
  readonly about: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string | undefined;
    readonly name: string;
  };
}

export const overviewEvents: LiveSpec<OverviewEvent> = {
  key: 'overview events',
  source: objectSource(client.resource<Live<Event>>('v1', 'events'), {}, eventOf),
};

export function eventOf(event: Live<Event>): OverviewEvent {
  const { uid, namespace, name, resourceVersion, creationTimestamp } = event.metadata;
  const { involvedObject: about, series } = event;
  const time = series?.lastObservedTime || event.lastTimestamp || event.eventTime || creationTimestamp || '';
  return {
    metadata: { uid, namespace, name, resourceVersion } as KubeObject['metadata'],
    isWarning: event.type === 'Warning',
    reason: event.reason ?? '',
    message: event.message ?? '',
    count: series?.count ?? event.count ?? 1,
    timeMs: Date.parse(String(time)),
    about: {
      apiVersion: about?.apiVersion ?? '',
      kind: about?.kind ?? '',
      namespace: about?.namespace || undefined,
      name: about?.name ?? '',
    },
  };
}
