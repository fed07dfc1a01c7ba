/** The durations of the parts of a request, for the audit event of a slow one. */
import type { Clock } from '@coxswain/apimachinery';
import { formatDurationMs } from '@coxswain/apimachinery/duration.ts';

/** The names in annotations, `apiserver.latency.k8s.io/…`. */
export type LatencyPart =
  | 'apf-queue-wait'
  | 'authentication'
  | 'authorization'
  | 'etcd'
  | 'impersonation'
  | 'mutating-webhook'
  | 'serialize-response-object'
  | 'transform-response-object'
  | 'validating-webhook';

/** Parts that run concurrently: the slowest counts. */
const concurrent: ReadonlySet<LatencyPart> = new Set(['validating-webhook']);

export class RequestLatencies {
  readonly #clock: Clock;
  readonly #milliseconds = new Map<LatencyPart, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param ms negative to subtract time that was counted but belongs to another part */
  add(part: LatencyPart, ms: number): void {
    const before = this.#milliseconds.get(part) ?? 0;
    this.#milliseconds.set(part, concurrent.has(part) ? Math.max(before, ms) : before + ms);
  }

  get parts(): readonly (readonly [LatencyPart, number])[] {
    return [...this.#milliseconds];
  }

  /** Runs `body` and adds its duration. */
  during<T>(part: LatencyPart, body: () => T, sign: 1 | -1 = 1): T {
    const startMs = this.#clock.monotonic();
    const end = () => this.add(part, sign * (this.#clock.monotonic() - startMs));
    let result: T;
    try {
      result = body();
    } catch (failure) {
      end();
      throw failure;
    }
    if (result instanceof Promise) return result.finally(end) as T;
    end();
    return result;
  }

  annotations(totalMs: number): [key: string, value: string][] {
    const parts = [...this.#milliseconds, ['total', totalMs] as const];
    return parts
      .filter(([, ms]) => ms > 0)
      .map(([part, ms]) => [`apiserver.latency.k8s.io/${part}`, formatDurationMs(ms)]);
  }
}

/** Runs `body`, a part of a request, and records its duration if the request is audited. */
export const timed = <T>(
  audit: { readonly latencies: RequestLatencies } | undefined,
  part: LatencyPart,
  body: () => T,
): T => (audit === undefined ? body() : audit.latencies.during(part, body));
