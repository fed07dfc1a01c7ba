/**
 * Remembers requests that took long despite their size, such as those with costly rules, so that the next ones go to
 * another thread at once.
 */
import type { Clock } from '@coxswain/apimachinery';
import type { ApiRequest } from '@coxswain/apiserver';

/** Limited, since rules and policies change. */
const rememberedMs = 10_000;
/** Beyond it the oldest is dropped. */
const kindsMax = 1_000;

export class CostlyRequests {
  readonly #clock: Clock;
  /** By user and request: until when it counts as costly. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(request: ApiRequest): void {
    const key = kindOfRequest(request);
    this.#until.delete(key);
    this.#until.set(key, this.#clock.monotonic() + rememberedMs);
    if (this.#until.size > kindsMax) this.#until.delete(this.#until.keys().next().value!);
  }

  has(request: ApiRequest): boolean {
    if (this.#until.size === 0) return false;
    const key = kindOfRequest(request);
    const untilMs = this.#until.get(key) ?? 0;
    if (untilMs > this.#clock.monotonic()) return true;
    this.#until.delete(key);
    return false;
  }
}

/** What requests are judged by. */
export const kindOfRequest = ({ user, method, info: { group, resource, subresource } }: ApiRequest): string =>
  JSON.stringify([user.name, method, group, resource, subresource]);
