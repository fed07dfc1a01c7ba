/** Records Events about objects in the background. Recording never fails and never blocks. */

import {
  formatTime,
  isStatusError,
  systemClock,
  systemRandom,
  type Clock,
  type KubeObject,
  type Random,
} from '@coxswain/apimachinery';
import type { KubeClient } from '../resource/kube-client.ts';
import { EventCorrelator, eventName } from './event-correlator.ts';
import { referenceTo, type CoreEvent, type EventType, type ObjectReference } from './event-object.ts';

/**
 * Records events about objects. Calls return at once; equal events are combined.
 * @example
 * recorder.event(deployment, 'Warning', 'TooLarge', `${deployment.metadata.name} wants 500 replicas`);
 */
export interface EventRecorder {
  /**
   * Records an event.
   * @param object the object of the event; use a reference if it lacks kind and apiVersion, as items of lists do
   * @param type `Normal` or `Warning`
   * @param reason one word in CamelCase, for programs
   * @param message a sentence, for people
   */
  event(
    object: KubeObject | ObjectReference,
    type: EventType,
    reason: string,
    message: string,
    annotations?: Readonly<Record<string, string>>,
  ): void;
}

/** Where events are written. */
export interface EventBroadcasterOptions {
  readonly client: KubeClient;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Receives failures to write an event. Writes without a response are retried. */
  readonly onError?: (error: unknown) => void;
  /** When aborted, pending events are dropped and nothing is retried. */
  readonly signal?: AbortSignal | undefined;
}

/** The maximum number of pending events; more are dropped, as by client-go. */
const queueLengthMax = 1000;
/** The number of attempts if the server does not respond, and the delay between them. */
const writeTriesMax = 12;
const retryDelayMs = 10_000;
/** Names count microseconds; a number that holds the current time has only half of that precision. */
const nameStepMs = 0.002;

/**
 * Writes the events of its recorders in the background. Recording never fails and never blocks.
 * @example
 * const events = new EventBroadcaster({ client, onError: console.error });
 * const recorder = events.recorder('shop-operator');
 * recorder.event(deployment, 'Normal', 'Scaled', 'scaled to 3');
 * await events.flushed();
 */
export class EventBroadcaster {
  readonly #options: EventBroadcasterOptions;
  readonly #clock: Clock;
  readonly #correlator: EventCorrelator;
  readonly #queue: CoreEvent[] = [];
  #draining: Promise<void> | undefined;
  #lastMs = 0;
  /** An offset of less than a millisecond that differs between broadcasters. */
  readonly #offsetMs: number;

  constructor(options: EventBroadcasterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#correlator = new EventCorrelator(this.#clock);
    this.#offsetMs = (options.random ?? systemRandom).next();
  }

  /**
   * Returns a recorder for a component.
   * @param component the source of the events, for `source.component` and `reportingComponent`
   * @param host for `source.host` and `reportingInstance`
   */
  recorder(component: string, host?: string): EventRecorder {
    const source = { component, ...(host ? { host } : {}) };
    return {
      event: (object, type, reason, message, annotations) => {
        const reference = 'metadata' in object ? referenceTo(object) : object;
        const reported = this.#eventOf(reference, type, reason, message, source);
        this.#add(
          annotations === undefined
            ? reported
            : { ...reported, metadata: { ...reported.metadata, annotations } },
        );
      },
    };
  }

  /** Resolves when all events recorded so far are written or abandoned. */
  flushed(): Promise<void> {
    return this.#draining ?? Promise.resolve();
  }

  #add(event: CoreEvent): void {
    if (this.#queue.length >= queueLengthMax) return;
    this.#queue.push(event);
    this.#draining ??= this.#drain().finally(() => (this.#draining = undefined));
  }

  #eventOf(
    involvedObject: ObjectReference,
    type: EventType,
    reason: string,
    message: string,
    source: { component: string; host?: string },
  ): CoreEvent {
    const nowMs = this.#clock.now();
    // Two events of the same millisecond need different names, even if they come from different recorders of the
    // process.
    this.#lastMs = Math.max(nowMs + this.#offsetMs, this.#lastMs + nameStepMs);
    const now = formatTime(nowMs);
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: eventName(involvedObject.name ?? '', this.#lastMs),
        namespace: involvedObject.namespace || 'default',
      },
      involvedObject,
      reason,
      message,
      source,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      eventTime: null,
      reportingComponent: source.component,
      reportingInstance: source.host ?? '',
    };
  }

  async #drain(): Promise<void> {
    // Lets the caller finish first: recording must not change the order of its writes.
    await Promise.resolve();
    const { signal } = this.#options;
    for (
      let event = this.#queue.shift();
      event !== undefined && !signal?.aborted;
      event = this.#queue.shift()
    ) {
      const correlated = this.#correlator.correlate(event);
      if (correlated === undefined) continue;
      await this.#write(correlated.event, correlated.patch);
    }
  }

  async #write(event: CoreEvent, patch: object | undefined): Promise<void> {
    for (let attempt = 0; attempt < writeTriesMax; attempt++) {
      try {
        this.#correlator.note(await this.#writeOnce(event, patch));
        return;
      } catch (error) {
        const { signal, onError } = this.#options;
        if (signal?.aborted) return;
        onError?.(error);
        // Only a missing response is worth a retry.
        if (isStatusError(error)) return;
        await this.#clock.sleep(retryDelayMs, signal).catch(() => undefined);
      }
    }
  }

  async #writeOnce(event: CoreEvent, patch: object | undefined): Promise<CoreEvent> {
    const events = this.#options.client
      .resource<CoreEvent>('v1', 'events')
      .namespace(event.metadata.namespace ?? 'default');
    const { signal } = this.#options;
    if (patch === undefined) return events.create(event, { signal });
    try {
      return await events.patch(event.metadata.name ?? '', patch, { signal });
    } catch (error) {
      // The event has expired and was removed, so a new one is created.
      if (!isStatusError(error, 'NotFound')) throw error;
      return events.create(event, { signal });
    }
  }
}
