/**
 * The CPU that simulated containers use to serve requests, so that load shows: in `kubectl top`, and in what autoscalers
 * do. Probes and requests from within the pod do not count.
 */
import type { Clock } from '@coxswain/apimachinery';
import {
  formatQuantity,
  milliQuantityOf,
  parseQuantity,
  quantityMilliValue,
} from '@coxswain/apimachinery/quantity.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { shareOfRequest, type Usage } from './simulated-usage.ts';

/** Rates are those of the last whole window and the current one. */
const windowMs = 15_000;
/** What a request costs: a hundred in a second use half a core. */
const cpuMsPerRequest = 5;
/** The least recently counted containers are forgotten. */
const containersMax = 10_000;

interface Counted {
  /** The number of the current window. */
  readonly window: number;
  readonly before: number;
  readonly current: number;
}

export class RequestLoad {
  readonly #clock: Clock;
  readonly #counted = new Map<string, Counted>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(pod: Pod, container: string): void {
    const key = keyOf(pod, container);
    const counted = this.#now(key);
    this.#counted.delete(key);
    this.#counted.set(key, { ...counted, current: counted.current + 1 });
    if (this.#counted.size > containersMax) this.#counted.delete(this.#counted.keys().next().value!);
  }

  /** The CPU, no more than the container's limit; undefined without recent requests. */
  usage(pod: Pod, name: string): Usage | undefined {
    const key = keyOf(pod, name);
    const container = pod.spec?.containers?.find((one) => one.name === name);
    if (container === undefined || !this.#counted.has(key)) return undefined;
    const { window, before, current } = this.#now(key);
    const requests = before + current;
    if (requests === 0) return undefined;
    const seconds = (this.#clock.now() - (window - 1) * windowMs) / 1000;
    const idle = quantityMilliValue(parseQuantity(shareOfRequest(container, 'cpu')));
    const milli = Math.ceil(idle + (requests * cpuMsPerRequest) / seconds);
    const limit = container.resources?.limits?.['cpu'];
    const most = limit === undefined ? Infinity : quantityMilliValue(parseQuantity(limit));
    return { cpu: formatQuantity(milliQuantityOf(Math.min(milli, most))) };
  }

  #now(key: string): Counted {
    const window = Math.floor(this.#clock.now() / windowMs);
    const counted = this.#counted.get(key);
    if (counted?.window === window) return counted;
    return { window, before: counted?.window === window - 1 ? counted.current : 0, current: 0 };
  }
}

const keyOf = ({ metadata }: Pod, container: string): string => `${metadata?.uid}/${container}`;
