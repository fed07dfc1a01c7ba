/** Marks pods that come from the API with where they come from and since when, as the runtime is told of them. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { seenAnnotation, sourceAnnotation } from './pod-source.ts';
import type { Clock } from '@coxswain/apimachinery';

export class SeenPods {
  readonly #clock: Clock;
  readonly #seen = new Map<string, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The same pod each time gets the time of its first. */
  marked(pod: Pod): Pod {
    const uid = pod.metadata?.uid ?? '';
    const seen = this.#seen.get(uid) ?? new Date(this.#clock.now()).toISOString();
    this.#seen.set(uid, seen);
    const annotations = { ...pod.metadata?.annotations, [seenAnnotation]: seen, [sourceAnnotation]: 'api' };
    return { ...pod, metadata: { ...pod.metadata, annotations } };
  }

  forget(pod: Pod): void {
    this.#seen.delete(pod.metadata?.uid ?? '');
  }
}
