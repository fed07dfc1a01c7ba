/** The registry of the node's pods. It is created before the parts that read it; the kubelet adds and removes pods. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodEnd } from '../pod/pod-worker-context.ts';
import type { PodWorker } from './pod-worker.ts';

export class NodePods {
  readonly #hostAddress: string;
  readonly #workers = new Map<string, PodWorker>();

  /** @param hostAddress the node's address, which host network pods have */
  constructor(hostAddress: string) {
    this.#hostAddress = hostAddress;
  }

  all(): readonly Pod[] {
    return [...this.#workers.values()].map(({ pod }) => pod);
  }

  /** Pods that use resources of the node and are not ending. */
  active(): readonly Pod[] {
    return [...this.#workers.values()]
      .filter((each) => each.isActive && !each.isEnding)
      .map(({ pod }) => pod);
  }

  /** Other pods that use resources of the node. */
  othersThan({ metadata }: Pod): Pod[] {
    return [...this.#workers.values()]
      .filter(({ isActive, pod }) => isActive && pod.metadata?.uid !== metadata?.uid)
      .map(({ pod }) => pod);
  }

  byUid(uid: string): Pod | undefined {
    return this.#workers.get(uid)?.pod;
  }

  addressesOf({ metadata, spec }: Pod): readonly string[] {
    if (spec?.hostNetwork) return [this.#hostAddress];
    return this.#workers.get(metadata?.uid ?? '')?.sandbox?.ips ?? [];
  }

  /** Whether the pod has stopped for good. */
  hasEnded(uid: string): boolean {
    return this.#workers.get(uid)?.isActive === false;
  }

  /** Whether a pod's current or previous run is this container, so that its logs may be requested. */
  refersTo(containerId: string): boolean {
    return [...this.#workers.values()].some((worker) => worker.refersTo(containerId));
  }

  /** Reports the pods' statuses again, after plugins have reported changes of their devices. */
  reportAgain(uids: Iterable<string>): void {
    for (const uid of uids) {
      const worker = this.#workers.get(uid);
      worker?.update(worker.pod);
    }
  }

  /** Ends a pod for a reason of the node; resolves when it is gone, or fails to end. */
  async end(uid: string, order: PodEnd): Promise<void> {
    await this.#workers.get(uid)?.end(order);
  }

  workers(): Iterable<PodWorker> {
    return this.#workers.values();
  }

  workerOf(uid: string): PodWorker | undefined {
    return this.#workers.get(uid);
  }

  add(uid: string, worker: PodWorker): void {
    this.#workers.set(uid, worker);
  }

  remove(uid: string): void {
    this.#workers.delete(uid);
  }

  clear(): void {
    this.#workers.clear();
  }
}
