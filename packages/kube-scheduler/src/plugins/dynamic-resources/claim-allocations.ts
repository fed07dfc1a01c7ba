import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { ClusterObjects } from '../../framework/cluster.ts';

/** Claims as the scheduler knows them: as seen in the cache, as written since then, and as about to be written. */
export class ClaimAllocations {
  readonly #objects: ClusterObjects;
  /** Claims with allocations that are not written yet, by uid. */
  readonly #pending = new Map<string, ResourceClaim>();
  /** Those among them that do not exist in the API yet, by uid. */
  readonly #unwritten = new Map<string, ResourceClaim>();
  /** Claims that were written but not seen in the cache yet, by uid. */
  readonly #written = new Map<string, ResourceClaim>();

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
  }

  /** Shared by all profiles of one scheduler. */
  static of(objects: ClusterObjects): ClaimAllocations {
    let known = sharedBy.get(objects);
    if (known === undefined) sharedBy.set(objects, (known = new ClaimAllocations(objects)));
    return known;
  }

  get(namespace: string, name: string): ResourceClaim | undefined {
    const seen = this.#objects.resourceClaim(namespace, name);
    return seen === undefined ? undefined : this.#newest(seen);
  }

  isPending(claim: ResourceClaim): boolean {
    return this.#pending.has(uidOf(claim));
  }

  /** All claims with all allocations, including those in progress. */
  *all(): Iterable<ResourceClaim> {
    for (const seen of this.#objects.resourceClaims())
      yield this.#pending.get(uidOf(seen)) ?? this.#newest(seen);
    yield* this.#unwritten.values();
  }

  plan(claim: ResourceClaim): void {
    this.#pending.set(uidOf(claim), claim);
  }

  /** Like {@link plan}, for a claim that is created only when the pod is bound. */
  planUnwritten(claim: ResourceClaim): void {
    this.#unwritten.set(uidOf(claim), claim);
  }

  drop(claim: ResourceClaim): void {
    this.#pending.delete(uidOf(claim));
    this.#unwritten.delete(uidOf(claim));
  }

  written(claim: ResourceClaim): void {
    this.#written.set(uidOf(claim), claim);
    this.drop(claim);
  }

  #newest(seen: ResourceClaim): ResourceClaim {
    const written = this.#written.get(uidOf(seen));
    if (written === undefined) return seen;
    if (versionOf(written) > versionOf(seen)) return written;
    this.#written.delete(uidOf(seen));
    return seen;
  }
}

const sharedBy = new WeakMap<ClusterObjects, ClaimAllocations>();

const uidOf = ({ metadata }: ResourceClaim): string => metadata?.uid ?? '';
const versionOf = ({ metadata }: ResourceClaim): number => Number(metadata?.resourceVersion ?? 0);
