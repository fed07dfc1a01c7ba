/** In-place resizes of a running pod: checks for room, and performs one after the other. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ResizedContainer } from '../runtime.ts';
import type { PodEvent, PodWorkerContext } from './pod-worker-context.ts';
import { resizeMessage, type PendingResize } from './resize.ts';

export class PodResizing {
  readonly #context: PodWorkerContext;
  #pending: PendingResize | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(context: PodWorkerContext) {
    this.#context = context;
  }

  /** The resize that waits for room on the node. */
  get pending(): PendingResize | undefined {
    return this.#pending;
  }

  /** The pod has the requested resources. */
  settled(): void {
    this.#pending = undefined;
  }

  /** Reports whether there is room. Each resize is announced once. */
  begins(pod: Pod): boolean {
    const generation = pod.metadata?.generation ?? 0;
    const refusal = this.#context.admitResize?.(pod);
    const event = (type: PodEvent['type'], reason: string, message: string) =>
      this.#context.event(pod, { type, reason, message });
    if (refusal === undefined) {
      this.#pending = undefined;
      event('Normal', 'ResizeStarted', resizeMessage('Pod resize started', pod));
      event('Normal', 'ResizeCompleted', resizeMessage('Pod resize completed', pod));
      return true;
    }
    if (this.#pending?.generation !== generation)
      event('Warning', 'ResizeDeferred', resizeMessage('Pod resize Deferred', pod, refusal));
    this.#pending = { pod, message: refusal, generation };
    return false;
  }

  /** @param changed containers that are not restarted */
  apply(before: Pod, pod: Pod, changed: readonly ResizedContainer[]): void {
    const { runtime, onError } = this.#context;
    this.#work = this.#work
      .then(() => runtime.resize?.(before, pod, changed))
      .catch((error: unknown) => onError(error));
  }
}
