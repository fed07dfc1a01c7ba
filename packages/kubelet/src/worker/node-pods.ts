/** The pods of one node. They are there before all that reads them; the kubelet takes them in and lets them go. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodEnd } from '../pod/pod-worker-context.ts';
import type { PodWorker } from './pod-worker.ts';

export class NodePods {
  readonly #hostAddress: string;
  readonly #workers = new Map<string, PodWorker>();

  /** @param hostAddress the node's own, which pods of the host's network have */
  constructor(hostAddress: string) {
    this.#hostAddress = hostAddress;
  }

  all(): readonly Pod[] {
    return [...this.#workers.values()].map(({ pod }) => pod);
  }

  /** Pods that take room on the node and have not been told to end. */
  active(): readonly Pod[] {
    return [...this.#workers.values()]
      .filter((each) => each.isActive && !each.isEnding)
      .map(({ pod }) => pod);
  }

  /** Other pods that take room here. */
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

  /** Nothing of the pod runs any more, and nothing will. */
  hasEnded(uid: string): boolean {
    return this.#workers.get(uid)?.isActive === false;
  }

  /** Its logs may be asked for: the container is what a pod runs, or ran before. */
  refersTo(containerId: string): boolean {
    return [...this.#workers.values()].some((worker) => worker.refersTo(containerId));
  }

  /** Tells the status of the pods again: what plugins say of their devices has changed. */
  reportAgain(uids: Iterable<string>): void {
    for (const uid of uids) {
      const worker = this.#workers.get(uid);
      worker?.update(worker.pod);
    }
  }

  /** Ends a pod for a reason of the node; resolves when it is gone, or does not go. */
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
