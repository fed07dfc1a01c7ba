/** The events of the cluster, newest first. */

import type { KubeObject } from 'coxswain/browser';
import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import type { Session } from '../session.ts';
import type { Words } from '../words.ts';

interface EventLike extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly count?: number;
  readonly eventTime?: string;
  readonly lastTimestamp?: string;
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
}

const shownMax = 200;

const timeOf = ({ lastTimestamp, eventTime, metadata }: EventLike): string =>
  lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';

interface TimelineOptions {
  readonly session: Session;
  readonly words: Words;
}

export function TimelinePane({ session, words }: TimelineOptions) {
  const events = [...(session.objects.value['Event']?.values() ?? [])] as EventLike[];
  const newest = events.toSorted((a, b) => Date.parse(timeOf(b)) - Date.parse(timeOf(a))).slice(0, shownMax);
  if (newest.length === 0) return <p class="nothing">{words.nothingHappened}</p>;
  return (
    <ol class="timeline">
      {newest.map((event) => (
        <li key={event.metadata.uid ?? event.metadata.name} class={event.type === 'Warning' ? 'warning' : ''}>
          <time>{timeSince(timeOf(event), session.nowMs.value)}</time>
          <div>
            <b>{event.reason}</b>{' '}
            <code>
              {event.involvedObject?.kind?.toLowerCase()}/{event.involvedObject?.name}
            </code>
            {(event.count ?? 1) > 1 && <small> ×{event.count}</small>}
            <p>{event.message ?? event.note}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
