/** An event, written as either of the two Event kinds. */

import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Event } from '@coxswain/api/core/v1/event.ts';

export interface ReportedEvent extends KubeObject {
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

export function eventOf(event: Live<Event>): ReportedEvent {
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

/** The message of the latest warning, which is often the only reason that is given; empty if there is none. */
export function latestWarning(events: Iterable<ReportedEvent>): string {
  let latest: ReportedEvent | undefined;
  for (const event of events) if (event.isWarning && event.timeMs >= (latest?.timeMs ?? 0)) latest = event;
  return latest?.message ?? '';
}
