import { aborted, type Clock } from '@coxswain/apimachinery';
import type { LifecycleHandler } from '@coxswain/api/core/v1/probe.ts';
import type { HookKind, Runtime } from '../runtime.ts';

export interface HookRun {
  readonly runtime: Runtime;
  readonly clock: Clock;
  /** The container. */
  readonly id: string;
  readonly kind: HookKind;
  readonly handler: LifecycleHandler;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does what a container wants done after its start or before its stop. Waiting is the kubelet's own work,
 * the rest that of the runtime.
 * @throws RuntimeFailure when it failed, or the signal's reason when it aborts meanwhile
 */
export async function runHook({ runtime, clock, id, kind, handler, signal }: HookRun): Promise<void> {
  if (handler.sleep) return clock.sleep(Number(handler.sleep.seconds) * 1000, signal);
  await runtime.runHook(id, kind, handler, signal);
}

/** What is left of a container's grace once its hook has taken its part, milliseconds; at least this. */
const graceMsMin = 2_000;

/**
 * Runs the hook before a stop, for no longer than the grace period.
 * @returns what is left of `graceMs` for the container itself; the time taken counts in whole seconds
 */
export async function runStopHook(
  run: HookRun,
  graceMs: number,
  failed: (error: unknown) => void,
): Promise<number> {
  const { clock } = run;
  const beganMs = clock.now();
  const over = new AbortController();
  const hook = runHook({ ...run, signal: over.signal }).catch((error: unknown) => {
    if (!over.signal.aborted) failed(error);
  });
  const timer = clock.after(graceMs, () => over.abort());
  await Promise.race([hook, aborted(over.signal)]);
  timer.cancel();
  const tookMs = Math.floor((clock.now() - beganMs) / 1000) * 1000;
  return Math.max(graceMsMin, graceMs - tookMs);
}
