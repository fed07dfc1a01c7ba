/** Counts what drivers of dynamic resources do, under upstream's names. */
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Metrics, Sample } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Clock } from '@coxswain/apimachinery';
import { grpcCodeName } from '@coxswain/grpc/status.ts';

/** From 0.1 s to 40 s. */
const bounds = growingBounds(0.1, 400 ** (1 / 14), 15);
const inUseHelp =
  'Prepared ResourceClaims on the node, by driver; <any> counts each once, whatever its drivers.';

export class ClaimMetrics {
  readonly #metrics: Metrics;
  readonly #clock: Clock;

  constructor(metrics: Metrics, clock: Clock) {
    this.#metrics = metrics;
    this.#clock = clock;
  }

  /** @param drivers those of each prepared claim */
  describeInUse(drivers: () => Iterable<readonly string[]>): void {
    this.#metrics.samples('gauge', 'dra_resource_claims_in_use', inUseHelp, () => inUse(drivers()));
  }

  /** Times all claims of a pod. */
  operation<T>(name: 'PrepareResources' | 'UnprepareResources', work: () => Promise<T>): Promise<T> {
    const help = 'Duration in seconds of the preparation or release of all claims of a pod.';
    return this.#timed('dra_operations_duration_seconds', help, work, (failure) => ({
      operation_name: name,
      is_error: String(failure !== undefined),
    }));
  }

  /** Times one call of a driver. */
  call<T>(driver: string, path: string, work: () => Promise<T>): Promise<T> {
    const help = 'Duration in seconds of calls of drivers of dynamic resources.';
    return this.#timed('dra_grpc_operations_duration_seconds', help, work, (failure) => ({
      driver_name: driver,
      method_name: path,
      grpc_status_code: failure === undefined ? 'OK' : grpcCodeName(failure),
    }));
  }

  async #timed<T>(
    name: string,
    help: string,
    work: () => Promise<T>,
    labelsOf: (failure: unknown) => Readonly<Record<string, string>>,
  ): Promise<T> {
    const beganMs = this.#clock.monotonic();
    const ended = (failure?: unknown): void =>
      this.#metrics
        .histogram(name, help, bounds, labelsOf(failure))
        .observe((this.#clock.monotonic() - beganMs) / 1000);
    try {
      const result = await work();
      ended();
      return result;
    } catch (failure) {
      ended(failure);
      throw failure;
    }
  }
}

function inUse(claims: Iterable<readonly string[]>): Sample[] {
  const counts = new Map([['<any>', 0]]);
  for (const drivers of claims)
    for (const driver of ['<any>', ...drivers]) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return [...counts].map(([driver, value]) => ({ labels: { driver_name: driver }, value }));
}
