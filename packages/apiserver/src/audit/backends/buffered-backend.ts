/** The mode `batch`: events are collected and sent in batches without delaying requests. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock, Timer } from '@coxswain/apimachinery';
import { copyOfEvent, type AuditBackend, type AuditEvent } from '../audit-event.ts';
import type { LostEvents } from '../audit-metrics.ts';

export interface BatchSettings {
  /** The maximum number of waiting events; further ones are lost and logged. */
  readonly bufferSize: number;
  readonly batchSizeMax: number;
  /** The maximum time that an event waits for its batch to fill. */
  readonly waitMsMax: number;
  /** The limit of batches per second, with bursts after idle times; no limit if unset. */
  readonly throttle?: { readonly qps: number; readonly burst: number } | undefined;
  /** Whether the next batch may be sent while the previous one is still in flight. */
  readonly isConcurrent: boolean;
}

export class BufferedBackend implements AuditBackend {
  readonly name: string;
  readonly #backend: AuditBackend;
  readonly #settings: BatchSettings;
  readonly #clock: Clock;
  readonly #lost: LostEvents;
  readonly #sending = new Set<Promise<boolean>>();
  #waiting: AuditEvent[] = [];
  #timer: Timer | undefined;
  #isDraining: Promise<void> | undefined;
  #isStopped = false;
  /** The earliest time of the next batch without bursts, on the monotonic clock. */
  #nextSlotMs = Number.NEGATIVE_INFINITY;

  constructor(backend: AuditBackend, settings: BatchSettings, clock: Clock, lost: LostEvents) {
    this.name = `buffered<${backend.name}>`;
    this.#backend = backend;
    this.#settings = settings;
    this.#clock = clock;
    this.#lost = lost;
  }

  process(events: readonly AuditEvent[]): boolean {
    if (this.#isStopped) {
      this.#lost('buffered', 'audit backend shut down', events);
      return true;
    }
    const room = this.#settings.bufferSize - this.#waiting.length;
    for (const event of room < events.length ? events.slice(0, room) : events) {
      this.#waiting.push(copyOfEvent(event));
    }
    if (room < events.length) this.#lost('buffered', 'audit buffer queue blocked', events.slice(room));
    if (this.#waiting.length >= this.#settings.batchSizeMax) detach(this.#drain(false));
    else this.#timer ??= this.#clock.after(this.#settings.waitMsMax, () => detach(this.#drain(true)));
    return true;
  }

  async flush(): Promise<void> {
    this.#isStopped = true;
    await this.#isDraining;
    await this.#drain(true);
    await Promise.allSettled(this.#sending);
    await this.#backend.flush();
  }

  /** @param all whether to send the last batch even if it isn't full */
  #drain(all: boolean): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    return (this.#isDraining ??= this.#sendBatches(all).finally(() => {
      this.#isDraining = undefined;
      if (this.#waiting.length > 0 && !this.#isStopped) {
        this.#timer ??= this.#clock.after(this.#settings.waitMsMax, () => detach(this.#drain(true)));
      }
    }));
  }

  async #sendBatches(all: boolean): Promise<void> {
    const { batchSizeMax, isConcurrent } = this.#settings;
    while (this.#waiting.length >= (all ? 1 : batchSizeMax)) {
      await this.#slot();
      const batch = this.#waiting.slice(0, batchSizeMax);
      this.#waiting = this.#waiting.slice(batchSizeMax);
      const sent = Promise.resolve(this.#backend.process(batch));
      if (!isConcurrent) await sent;
      else {
        this.#sending.add(sent);
        detach(sent.finally(() => this.#sending.delete(sent)));
      }
    }
  }

  /** Waits for a token; the token bucket is stored as the time at which it would be empty. */
  async #slot(): Promise<void> {
    const { throttle } = this.#settings;
    if (throttle === undefined) return;
    const nowMs = this.#clock.monotonic();
    const stepMs = 1000 / throttle.qps;
    this.#nextSlotMs = Math.max(this.#nextSlotMs, nowMs - stepMs * (throttle.burst - 1)) + stepMs;
    const waitMs = this.#nextSlotMs - stepMs - nowMs;
    if (waitMs > 0 && !this.#isStopped) await this.#clock.sleep(waitMs);
  }
}
