/** All that was ever stored in a test cluster, in order: what two runs from one seed are compared by. */

import type { Storage } from '@coxswain/storage';

export interface EventHistory {
  /** `12 put /registry/pods/default/web-0 {"kind":"Pod",…}` */
  lines(): Promise<readonly string[]>;
  /** SHA-256 of the lines, in hexadecimal. */
  digest(): Promise<string>;
  stop(): void;
}

const everything = { start: '', end: '\u{10ffff}' };

/** Follows the store from where it is. */
export function eventHistory(storage: Storage, from: number, revision: () => number): EventHistory {
  const stopping = new AbortController();
  const decoder = new TextDecoder();
  const kept: string[] = [];
  let seen = from;
  let wake: (() => void) | undefined;
  void (async () => {
    for await (const batch of storage.watch(everything, from, stopping.signal)) {
      for (const { type, entry } of batch.events)
        kept.push(
          `${entry.modRevision} ${type} ${entry.key} ${type === 'put' ? decoder.decode(entry.value) : ''}`,
        );
      seen = Math.max(seen, batch.revision);
      wake?.();
    }
    // A reset ends the watch: what is known until then stays.
  })().catch(() => undefined);
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
