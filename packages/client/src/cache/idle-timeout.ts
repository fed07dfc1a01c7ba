/**
 * A request that hears nothing for too long is given up. A connection that was cut without a word, a proxy that
 * swallows what comes after the head: nothing else ends a watch over them.
 */

import type { Clock, Timer } from '@coxswain/apimachinery';
import { ConnectionSilent } from '../transport.ts';

export interface IdleTimeout {
  /** Of the request: aborted by whoever owns it, or by {@link ConnectionSilent}. */
  readonly signal: AbortSignal;
  /** Something was heard. */
  touch(): void;
  end(): void;
}

/** @param maxMs none when undefined */
export function startIdleTimeout(clock: Clock, owner: AbortSignal, maxMs: number | undefined): IdleTimeout {
  if (maxMs === undefined) return { signal: owner, touch() {}, end() {} };
  const giveUp = new AbortController();
  const follow = () => giveUp.abort(owner.reason);
  if (owner.aborted) follow();
  owner.addEventListener('abort', follow, { once: true });
  let heardMs = clock.monotonic();
  let timer: Timer | undefined;
  // One timer at a time, however much is heard.
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
