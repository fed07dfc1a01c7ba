/** A rate-limited queue of nodes in a zone whose pods are to be evicted, each once. */
import type { Clock } from '@coxswain/apimachinery';
import { TokenBucket } from '@coxswain/client';

const burst = 1;

export class EvictionQueue {
  readonly #clock: Clock;
  /** In order. */
  readonly #waiting = new Set<string>();
  /** Nodes that had their turn; they get another only after `remove`. */
  readonly #served = new Set<string>();
  #rate: number;
  /** Undefined while evictions are suspended. */
  #bucket: TokenBucket | undefined;

  /** @param rate nodes per second */
  constructor(clock: Clock, rate: number) {
    this.#clock = clock;
    this.#rate = rate;
    this.#bucket = this.#bucketOf(rate);
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(name: string): void {
    if (!this.#served.has(name)) this.#waiting.add(name);
  }

  remove(name: string): void {
    this.#waiting.delete(name);
    this.#served.delete(name);
  }

  /** A caller that has to wait at the old rate must also wait at the new one. */
  setRate(rate: number): void {
    if (rate === this.#rate) return;
    const next = this.#bucketOf(rate);
    if (next !== undefined && !this.#mayAct()) next.tryAccept();
    this.#rate = rate;
    this.#bucket = next;
  }

  /** @param act resolves with false if the node needs another turn; each turn counts */
  async run(act: (name: string) => Promise<boolean>): Promise<void> {
    for (const name of this.#waiting) {
      if (!this.#mayAct()) return;
      const isDone = await act(name);
      if (!this.#waiting.delete(name)) continue;
      (isDone ? this.#served : this.#waiting).add(name);
    }
  }

  #mayAct(): boolean {
    return this.#bucket?.tryAccept() ?? false;
  }

  #bucketOf(rate: number): TokenBucket | undefined {
    return rate > 0 ? new TokenBucket(this.#clock, rate, burst) : undefined;
  }
}
