/** Nodes of a zone that are to lose their pods, each once, and no faster than the zone may lose them. */
import type { Clock } from '@coxswain/apimachinery';
import { TokenBucket } from '@coxswain/client';

const burst = 1;

export class EvictionQueue {
  readonly #clock: Clock;
  /** In the order of their turns. */
  readonly #waiting = new Set<string>();
  /** Who had a turn; there is none again without `remove`. */
  readonly #served = new Set<string>();
  #rate: number;
  /** Undefined while nobody gets a turn. */
  #bucket: TokenBucket | undefined;

  /** @param rate nodes a second */
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

  /** Who had to wait at the old rate has to wait at the new one, too. */
  setRate(rate: number): void {
    if (rate === this.#rate) return;
    const next = this.#bucketOf(rate);
    if (next !== undefined && !this.#mayAct()) next.tryAccept();
    this.#rate = rate;
    this.#bucket = next;
  }

  /** @param act resolves with false when the node needs another turn; each turn counts */
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
