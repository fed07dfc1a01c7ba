/**
 * Marks pods from the API with their source and the time they were first seen, annotations that the runtime receives.
 */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { seenAnnotation, sourceAnnotation } from './pod-source.ts';
import type { Clock } from '@coxswain/apimachinery';

export class SeenPods {
  readonly #clock: Clock;
  readonly #seen = new Map<string, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The same pod always gets the time when it was first seen. */
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
