/**
 * Tracks the slices written for each service until the informer has seen them: a plan based on older slices would write
 * them twice.
 */
import type { EndpointSlice } from '../objects.ts';

/** Marks a deletion that the informer has not reported yet. */
const gone = -1;

export class ExpectedSlices {
  /** By service: generations by uid. */
  readonly #services = new Map<string, Map<string, number>>();

  written(service: string, { metadata }: EndpointSlice): void {
    this.#of(service).set(metadata.uid ?? '', metadata.generation ?? 0);
  }

  removed(service: string, { metadata }: EndpointSlice): void {
    this.#of(service).set(metadata.uid ?? '', gone);
  }

  /** The informer has reported the deletion. */
  seenGone(service: string, { metadata }: EndpointSlice): void {
    this.#services.get(service)?.delete(metadata.uid ?? '');
  }

  forget(service: string): void {
    this.#services.delete(service);
  }

  /** Whether the informer's slices of the service are older than what was written. */
  areStale(service: string, slices: readonly EndpointSlice[]): boolean {
    const expected = this.#services.get(service);
    if (expected === undefined) return false;
    const seen = new Map(slices.map(({ metadata }) => [metadata.uid ?? '', metadata.generation ?? 0]));
    for (const [uid, generation] of expected) {
      const known = seen.get(uid);
      if (generation === gone ? known !== undefined : known === undefined || known < generation) return true;
    }
    return false;
  }

  #of(service: string): Map<string, number> {
    let expected = this.#services.get(service);
    if (expected === undefined) this.#services.set(service, (expected = new Map()));
    return expected;
  }
}
