/** What machines that join ask of a server that may not answer yet. */
import { isStatusError, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { UntrustedClusterError } from './discover-cluster.ts';

export interface Persistence {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** While the server does not answer, or has not signed yet, it is asked again. */
const retryMs = 500;
const patienceMs = 5 * 60_000;

/** @throws what the last attempt failed with, and at once what will not be otherwise */
export async function persistently<T>(
  attempt: () => Promise<T>,
  { clock, signal, log }: Persistence,
): Promise<T> {
  const endMs = clock.monotonic() + patienceMs;
  let told = '';
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isFinal = error instanceof UntrustedClusterError || isStatusError(error, 'Unauthorized');
      if (signal.aborted || isFinal || clock.monotonic() > endMs) throw error;
      const why = messageOf(error);
      if (why !== told) log(`waiting for the server: ${why}`);
      told = why;
    }
    await clock.sleep(retryMs, signal);
  }
}
