/**
 * Prevents events from flooding a cluster, as in client-go: an object may have a burst of 25 events and then one in
 * five minutes; ten that differ only in their message are combined into one; a repeated event is counted instead of
 * created.
 */

import { formatTime, type Clock } from '@coxswain/apimachinery';
import { TokenBucket } from '../rest/rate-limiter.ts';
import type { CoreEvent } from './event-object.ts';
import { LruMap } from './lru-map.ts';

/** The number of objects and kinds of events remembered. */
const cacheSizeMax = 4096;
const spamBurst = 25;
const spamPerSecond = 1 / 300;
const similarMax = 10;
const similarIntervalMs = 600_000;

/** @internal */
export interface Correlated {
  readonly event: CoreEvent;
  /** Set if the event occurred before: it is patched instead of created. */
  readonly patch?: { readonly count: number; readonly lastTimestamp: string; readonly message: string };
}

interface Observation {
  count: number;
  readonly firstTimestamp: string;
  readonly name: string;
}

interface Similar {
  /** Without duplicates; there are few. */
  readonly messages: string[];
  lastMs: number;
}

/** @internal */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #buckets = new LruMap<string, TokenBucket>(cacheSizeMax);
  readonly #similar = new LruMap<string, Similar>(cacheSizeMax);
  readonly #observed = new LruMap<string, Observation>(cacheSizeMax);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined if the event exceeds the limit. */
  correlate(event: CoreEvent): Correlated | undefined {
    const { event: aggregated, key } = this.#aggregate(event);
    const correlated = this.#observe(aggregated, key);
    return this.#isSpam(event) ? undefined : correlated;
  }

  /** Records the server's state after a write, for later events. */
  note(event: CoreEvent): void {
    this.#observed.set(fullKey(event), {
      count: event.count ?? 1,
      firstTimestamp: event.firstTimestamp ?? '',
      name: event.metadata.name ?? '',
    });
  }

  #aggregate(event: CoreEvent): { event: CoreEvent; key: string } {
    const key = `${objectKeyOf(event)}|${event.type}|${event.reason}|${event.reportingComponent ?? ''}|${event.reportingInstance ?? ''}`;
    const nowMs = this.#clock.now();
    const { message = '' } = event;
    let similar = this.#similar.get(key);
    if (similar === undefined || nowMs - similar.lastMs > similarIntervalMs)
      similar = { messages: [message], lastMs: nowMs };
    else if (!similar.messages.includes(message)) similar.messages.push(message);
    similar.lastMs = nowMs;
    this.#similar.set(key, similar);
    if (similar.messages.length < similarMax) return { event, key: fullKey(event) };
    similar.messages.shift();
    const now = formatTime(nowMs);
    const combined: CoreEvent = {
      ...event,
      metadata: {
        name: eventName(event.involvedObject.name ?? '', nowMs),
        namespace: event.metadata.namespace!,
      },
      message: `(combined from similar events): ${event.message}`,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
    };
    return { event: combined, key };
  }

  #observe(event: CoreEvent, key: string): Correlated {
    const seen = this.#observed.get(key);
    if (seen === undefined) {
      this.#observed.set(key, {
        count: 1,
        firstTimestamp: event.firstTimestamp ?? '',
        name: event.metadata.name ?? '',
      });
      return { event };
    }
    seen.count++;
    const counted: CoreEvent = {
      ...event,
      metadata: { ...event.metadata, name: seen.name },
      firstTimestamp: seen.firstTimestamp,
      count: seen.count,
    };
    const { lastTimestamp = '', message = '' } = event;
    return { event: counted, patch: { count: seen.count, lastTimestamp, message } };
  }

  #isSpam(event: CoreEvent): boolean {
    const key = `${objectKeyOf(event)}|${event.type}`;
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#clock, spamPerSecond, spamBurst);
    this.#buckets.set(key, bucket);
    return !bucket.tryAccept();
  }
}

/**
 * `web.18a3f0c2d4e5b6a7`: the object's name and the time in nanoseconds.
 * @internal
 */
export const eventName = (objectName: string, nowMs: number): string =>
  `${objectName}.${(BigInt(Math.round(nowMs * 1000)) * 1000n).toString(16)}`;

function objectKeyOf({
  source,
  involvedObject: { kind, namespace, name, uid, apiVersion },
}: CoreEvent): string {
  return `${source?.component}|${source?.host ?? ''}|${kind}|${namespace}|${name}|${uid}|${apiVersion}`;
}

const fullKey = (event: CoreEvent): string =>
  `${objectKeyOf(event)}|${event.involvedObject.fieldPath ?? ''}|${event.type}|${event.reason}|${event.message}`;
