/** Everything stored in a test cluster since its start, in order; used to compare two runs with the same seed. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { StoreReset, type Storage } from '@coxswain/storage';

export interface EventHistory {
  /** `12 put /registry/pods/default/web-0 {"kind":"Pod",…}` */
  lines(): Promise<readonly string[]>;
  /** SHA-256 of the lines, in hexadecimal. */
  digest(): Promise<string>;
  stop(): void;
}

const everything = { start: '', end: '\u{10ffff}' };

/** Follows the store from its current state. A reset restarts the history, since earlier events have been undone. */
export function eventHistory(storage: Storage, from: number, revision: () => number): EventHistory {
  const stopping = new AbortController();
  const decoder = new TextDecoder();
  let kept: string[] = [];
  let seen = from;
  let wake: (() => void) | undefined;
  const follow = async () => {
    for await (const batch of storage.watch(everything, seen, stopping.signal)) {
      for (const { type, entry } of batch.events)
        kept.push(
          `${entry.modRevision} ${type} ${entry.key} ${type === 'put' ? decoder.decode(entry.value) : ''}`,
        );
      seen = Math.max(seen, batch.revision);
      wake?.();
    }
  };
  detach(
    (async () => {
      while (!stopping.signal.aborted) {
        try {
          await follow();
        } catch (failure) {
          if (!(failure instanceof StoreReset)) return;
          kept = [];
          seen = failure.revision!;
        }
      }
    })(),
  );
  const caughtUp = async () => {
    while (seen < revision() && !stopping.signal.aborted)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return {
    async lines() {
      await caughtUp();
      return kept;
    },
    async digest() {
      await caughtUp();
      const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(kept.join('\n')));
      return Buffer.from(bytes).toString('hex');
    },
    stop: () => stopping.abort(),
  };
}
