/** Metrics of endpoint slices, with upstream's names. */
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { EndpointSlice, Service } from '../objects.ts';
import { endpointsPerSliceMax } from './plan.ts';
import type { SlicePlan } from './slice-plan.ts';

/** From 2 to 32,768 endpoints. */
const endpointBounds = growingBounds(2, 2, 15);

/** The current counts of a service. */
interface ServiceCounts {
  readonly endpoints: number;
  readonly slices: number;
  /** The smallest possible number of slices. */
  readonly slicesMin: number;
  readonly trafficDistribution: string | undefined;
}

export class SliceMetrics {
  readonly #metrics: Metrics;
  readonly #services = new Map<string, ServiceCounts>();
  readonly #added: Histogram;
  readonly #removed: Histogram;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    const perSync = (what: string) =>
      metrics.histogram(
        `endpoint_slice_controller_endpoints_${what}_per_sync`,
        `Endpoints that were ${what} in one look at a service.`,
        endpointBounds,
      );
    this.#added = perSync('added');
    this.#removed = perSync('removed');
    const total = (name: string, help: string, of: (counts: ServiceCounts) => number) =>
      metrics.reading('gauge', `endpoint_slice_controller_${name}`, help, {}, () => this.#sum(of));
    total('endpoints_desired', 'Endpoints that there should be.', ({ endpoints }) => endpoints);
    total('num_endpoint_slices', 'Slices that there are.', ({ slices }) => slices);
    total('desired_endpoint_slices', 'Slices that would do.', ({ slicesMin }) => slicesMin);
    metrics.samples(
      'gauge',
      'endpoint_slice_controller_services_count_by_traffic_distribution',
      'Services that ask for a distribution of their traffic.',
      () => this.#byTrafficDistribution(),
    );
  }

  forget(key: string): void {
    this.#services.delete(key);
  }

  /** Records that a service was reconciled with `plan`. */
  synced(key: string, service: Service, existing: readonly EndpointSlice[], plan: SlicePlan): void {
    const gone = new Set([...plan.remove, ...plan.update].map(({ metadata }) => metadata.name));
    const kept = existing.filter(({ metadata }) => !gone.has(metadata.name));
    const after = [...kept, ...plan.update, ...plan.create];
    const before = addressesOf(existing);
    const now = addressesOf(after);
    this.#added.observe(countOutside(before, now));
    this.#removed.observe(countOutside(now, before));
    this.#services.set(key, {
      endpoints: after.reduce((sum, { endpoints }) => sum + (endpoints?.length ?? 0), 0),
      slices: after.length,
      slicesMin: slicesMinOf(after),
      trafficDistribution: service.spec?.trafficDistribution ?? undefined,
    });
    this.#changed('create', plan.create.length);
    this.#changed('update', plan.update.length);
    this.#changed('delete', plan.remove.length);
  }

  /** Records the result of a sync. */
  ended(result: 'success' | 'error' | 'stale'): void {
    const help = 'Looks at services.';
    this.#metrics.counter('endpoint_slice_controller_syncs', help, { result }).add();
  }

  #changed(operation: string, count: number): void {
    if (count === 0) return;
    const help = 'Writes of slices.';
    this.#metrics.counter('endpoint_slice_controller_changes', help, { operation }).add(count);
  }

  #sum(of: (counts: ServiceCounts) => number): number {
    let sum = 0;
    for (const counts of this.#services.values()) sum += of(counts);
    return sum;
  }

  #byTrafficDistribution() {
    const counts = new Map<string, number>();
    for (const { trafficDistribution: name } of this.#services.values())
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].map(([name, value]) => ({ labels: { traffic_distribution: name }, value }));
  }
}

const addressesOf = (slices: readonly EndpointSlice[]): Set<string> =>
  new Set(slices.flatMap(({ endpoints }) => (endpoints ?? []).map(({ addresses }) => addresses.join(','))));

function slicesMinOf(slices: readonly EndpointSlice[]): number {
  const endpoints = new Map<string, number>();
  for (const { addressType, ports, endpoints: some } of slices) {
    const key = JSON.stringify([addressType, ports]);
    endpoints.set(key, (endpoints.get(key) ?? 0) + (some?.length ?? 0));
  }
  let count = 0;
  for (const size of endpoints.values()) count += Math.max(1, Math.ceil(size / endpointsPerSliceMax));
  return count;
}

const countOutside = (known: ReadonlySet<string>, all: ReadonlySet<string>): number =>
  [...all].filter((address) => !known.has(address)).length;
