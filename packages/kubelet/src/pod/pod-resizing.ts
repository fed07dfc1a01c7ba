/** In-place resizes of a running pod: checks for room, and performs one after the other. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ResizedContainer } from '../runtime.ts';
import type { ContainerRecord } from './container-record.ts';
import type { PodEvent, PodWorkerContext } from './pod-worker-context.ts';
import { resizeMessage, type PendingResize } from './resize.ts';

export class PodResizing {
  readonly #context: PodWorkerContext;
  #pending: PendingResize | undefined;
  #work: Promise<void> = Promise.resolve();
  #underWay: { readonly before: Pod; pod: Pod; calls: number } | undefined;

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
    if (refusal === undefined) {
      this.#pending = undefined;
      this.#event(pod, 'Normal', 'ResizeStarted', resizeMessage('Pod resize started', pod));
      return true;
    }
    if (this.#pending?.generation !== generation)
      this.#event(pod, 'Warning', 'ResizeDeferred', resizeMessage('Pod resize Deferred', pod, refusal));
    this.#pending = { pod, message: refusal, generation };
    return false;
  }

  /**
   * @param changed containers that are not restarted
   * @param actuated called when they have their new resources
   */
  apply(before: Pod, pod: Pod, changed: readonly ResizedContainer[], actuated: () => void): void {
    const { runtime, onError } = this.#context;
    const underWay = (this.#underWay ??= { before, pod, calls: 0 });
    underWay.pod = pod;
    underWay.calls++;
    this.#work = this.#work
      .then(() => runtime.resize?.(before, pod, changed))
      .then(() => {
        underWay.calls--;
        actuated();
      })
      .catch((error: unknown) => onError(error));
  }

  /** The pod before the resize that is under way. Its end is announced here, when all containers have followed. */
  before(records: readonly ContainerRecord[]): Pod | undefined {
    if (this.#underWay === undefined) return undefined;
    const { before, pod, calls } = this.#underWay;
    if (calls > 0 || records.some(isRestarting)) return before;
    this.#event(pod, 'Normal', 'ResizeCompleted', resizeMessage('Pod resize completed', pod));
    this.#underWay = undefined;
    return undefined;
  }

  #event(pod: Pod, type: PodEvent['type'], reason: string, message: string): void {
    this.#context.event(pod, { type, reason, message });
  }
}

const isRestarting = ({ phase, stopping, replaced }: ContainerRecord): boolean =>
  stopping || (phase === 'starting' && replaced === true);
