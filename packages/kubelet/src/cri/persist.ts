/** Retries calls of the runtime that must eventually succeed. */
import type { Clock } from '@coxswain/apimachinery';
import { isGrpcFailure } from '@coxswain/grpc/status.ts';

export interface Persistence {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

const retryMsMin = 100;
const retryMsMax = 10_000;

/** Retries until the call succeeds or the kubelet stops; a missing object counts as success. */
export async function persist(
  action: () => Promise<unknown>,
  { clock, signal, onError }: Persistence,
): Promise<void> {
  for (let waitMs = retryMsMin; ; waitMs = Math.min(waitMs * 2, retryMsMax)) {
    try {
      await action();
      return;
    } catch (error) {
      if (isGrpcFailure(error, 'notFound')) return;
      if (signal.aborted) throw error;
      onError(error);
    }
    await clock.sleep(waitMs, signal);
  }
}

export async function ignoreNotFound(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isGrpcFailure(error, 'notFound')) throw error;
  });
}
