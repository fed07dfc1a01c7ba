import type { Clock } from '@coxswain/apimachinery';
import type { Engine } from '@coxswain/storage';
import { etcdError } from '@coxswain/storage/etcd/grpc-status.ts';

/** As etcd's, when nothing else is said. */
export const quotaBytesDefault = 2 * 1024 ** 3;
/** Asking the engine for its size at each write would cost more than the writes of a second can add. */
const askEveryMs = 1_000;

/** How large the store may grow before it takes no more. */
export class Quota {
  readonly bytesMax: number;
  readonly #engine: Engine;
  readonly #clock: Clock;
  #askedAtMs = -Infinity;
  #isExceeded = false;

  constructor(engine: Engine, clock: Clock, bytesMax: number) {
    this.#engine = engine;
    this.#clock = clock;
    this.bytesMax = bytesMax;
  }

  get isExceeded(): boolean {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#askedAtMs >= askEveryMs) {
      this.#askedAtMs = nowMs;
      this.#isExceeded = this.#engine.size().usedBytes > this.bytesMax;
    }
    return this.#isExceeded;
  }

  /** @throws GrpcError */
  check(): void {
    if (this.isExceeded) throw etcdError('noSpace');
  }
}
