/** Retries requests of joining machines to a server that may not answer yet. */
import { isStatusError, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { UntrustedClusterError } from './discover-cluster.ts';

export interface Persistence {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** The interval between attempts while the server does not answer in time, or has not signed yet. */
const retryMs = 500;
/** The time limit for the whole response, whoever the server is. */
export const attemptMsMax = 30_000;
const patienceMs = 5 * 60_000;

/**
 * @param attempt is abandoned when its signal is aborted
 * @throws the error of the last attempt, and permanent errors at once
 */
export async function persistently<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { clock, signal, log }: Persistence,
): Promise<T> {
  const endMs = clock.monotonic() + patienceMs;
  let reported = '';
  for (;;) {
    const late = new AbortController();
    const timer = clock.after(attemptMsMax, () =>
      late.abort(new Error(`no answer within ${attemptMsMax / 1000} seconds`)),
    );
    const until = AbortSignal.any([signal, late.signal]);
    try {
      return await attempt(until);
    } catch (failure) {
      const error: unknown = until.aborted ? until.reason : failure;
      const isFinal = error instanceof UntrustedClusterError || isStatusError(error, 'Unauthorized');
      if (signal.aborted || isFinal || clock.monotonic() > endMs) throw error;
      const why = messageOf(error);
      if (why !== reported) log(`waiting for the server: ${why}`);
      reported = why;
    } finally {
      timer.cancel();
    }
    await clock.sleep(retryMs, signal);
  }
}
