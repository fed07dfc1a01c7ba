/**
 * Measures how long requests of each user and kind keep the main thread busy, whatever they cost it for: an estimate
 * from bytes knows nothing of names to allocate, limits to apply or schemas to compare.
 */
import type { Clock } from '@coxswain/apimachinery';
import { afterwards } from '@coxswain/apimachinery/next-turn.ts';
import type { ApiRequest } from '@coxswain/apiserver';
import { kindOfRequest } from './costly-requests.ts';

/** How much the latest request counts. */
const weight = 1 / 4;
/** A request counts as no longer than this: another program may have had the processor. */
const msMax = 3;
/** Afterwards the next request is measured again, since objects and rules change. */
const rememberedMs = 10_000;
/** Beyond it the oldest is dropped. */
const kindsMax = 1_000;

interface Cost {
  readonly ms: number;
  readonly untilMs: number;
}

export class MeasuredCosts {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #costs = new Map<string, Cost>();
  /** The kind of the request that has the thread. */
  #running: string | undefined;
  #sinceMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The request has the thread from now until another one has it, or all consequences of the current task are over. */
  begin(request: ApiRequest): void {
    if (this.#running === undefined) afterwards(this.#end);
    else this.#end();
    this.#running = kindOfRequest(request);
    this.#sinceMs = this.#clock.monotonic();
  }

  /** The mean of the latest requests of this kind; 0 if there were none. */
  expectedMs(request: ApiRequest): number {
    const kind = kindOfRequest(request);
    return this.#known(kind, this.#clock.monotonic());
  }

  readonly #end = (): void => {
    if (this.#running === undefined) return;
    const nowMs = this.#clock.monotonic();
    const ms = Math.min(msMax, nowMs - this.#sinceMs);
    const before = this.#known(this.#running, nowMs);
    this.#costs.delete(this.#running);
    this.#costs.set(this.#running, {
      ms: before + (ms - before) * weight,
      untilMs: nowMs + rememberedMs,
    });
    if (this.#costs.size > kindsMax) this.#costs.delete(this.#costs.keys().next().value!);
    this.#running = undefined;
  };

  #known(kind: string, nowMs: number): number {
    const cost = this.#costs.get(kind);
    return cost === undefined || cost.untilMs < nowMs ? 0 : cost.ms;
  }
}
