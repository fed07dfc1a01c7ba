/** Limits the rate and bursts of events: of the server, a namespace, a user, or a source and object. */
import { aggregateText, tooManyRequests, type Clock } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Event } from '@coxswain/api/core/v1/event.ts';
import { LruMap } from '@coxswain/client/events/lru-map.ts';
import { TokenBucket } from '@coxswain/client/rest/rate-limiter.ts';
import { objectOf, on } from '../attributes.ts';

export type EventLimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

export interface EventLimit {
  readonly type: EventLimitType;
  readonly qps: number;
  readonly burst: number;
  /** The maximum number of buckets; an evicted one starts full again. 0: the default. */
  readonly cacheSize: number;
}

const bucketsMaxDefault = 4096;

export function eventRateLimit(limits: readonly EventLimit[], clock: Clock): AdmissionPlugin {
  const enforcers = limits.map((limit) => enforcerOf(limit, clock));
  return {
    name: 'EventRateLimit',
    handles: on('CREATE', 'UPDATE'),
    validate(attributes) {
      const { kind, dryRun } = attributes;
      if (kind.kind !== 'Event' || kind.group !== '' || dryRun) return;
      const exceeded = enforcers.flatMap((accept) => accept(attributes) ?? []);
      if (exceeded.length > 0) throw tooManyRequests(aggregateText(exceeded));
    },
  };
}

/** @returns the problem, if any */
type Enforcer = (attributes: AdmissionAttributes) => string | undefined;

function enforcerOf({ type, qps, burst, cacheSize }: EventLimit, clock: Clock): Enforcer {
  const buckets = new LruMap<string, TokenBucket>(cacheSize || bucketsMaxDefault);
  return (attributes) => {
    const key = keys[type](attributes);
    let bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, (bucket = new TokenBucket(clock, qps, burst)));
    return bucket.tryAccept() ? undefined : `limit reached on type ${type} for key ${key}`;
  };
}

const keys: Readonly<Record<EventLimitType, (attributes: AdmissionAttributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: (attributes) => {
    const { source, involvedObject: about } = objectOf<Event>(attributes);
    return [
      source?.component,
      source?.host,
      about?.kind,
      about?.namespace,
      about?.name,
      about?.uid,
      about?.apiVersion,
    ].join('');
  },
};
