/**
 * Abandons a request that receives nothing for too long. A connection that was silently cut, or a proxy that swallows
 * everything after the response head, would otherwise never end a watch.
 */

import type { Clock, Timer } from '@coxswain/apimachinery';
import { ConnectionSilent } from '../transport.ts';

export interface IdleTimeout {
  /** The signal for the request: aborted by the owner, or with {@link ConnectionSilent}. */
  readonly signal: AbortSignal;
  /** Records that something was received. */
  touch(): void;
  end(): void;
}

/** @param maxMs undefined for no timeout */
export function startIdleTimeout(clock: Clock, owner: AbortSignal, maxMs: number | undefined): IdleTimeout {
  if (maxMs === undefined) return { signal: owner, touch() {}, end() {} };
  const giveUp = new AbortController();
  const follow = () => giveUp.abort(owner.reason);
  if (owner.aborted) follow();
  owner.addEventListener('abort', follow, { once: true });
  let heardMs = clock.monotonic();
  let timer: Timer | undefined;
  // Uses a single timer, however much is received.
  const look = () => {
    const leftMs = heardMs + maxMs - clock.monotonic();
    if (leftMs <= 0) giveUp.abort(new ConnectionSilent(maxMs));
    else timer = clock.after(leftMs, look, { idle: true });
  };
  look();
  return {
    signal: giveUp.signal,
    touch: () => void (heardMs = clock.monotonic()),
    end() {
      timer?.cancel();
      owner.removeEventListener('abort', follow);
    },
  };
}
