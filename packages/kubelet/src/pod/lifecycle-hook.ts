import { aborted, runStep, type Clock, type StepObserver } from '@coxswain/apimachinery';
import type { LifecycleHandler } from '@coxswain/api/core/v1/probe.ts';
import type { HookKind, Runtime } from '../runtime.ts';

export interface HookRun {
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly observer?: StepObserver | undefined;
  /** The container ID. */
  readonly id: string;
  readonly kind: HookKind;
  readonly handler: LifecycleHandler;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a postStart or preStop hook. Waiting (`sleep`) is done by the kubelet itself, everything else by the runtime.
 * @throws RuntimeFailure if it fails, or the signal's reason if it aborts
 */
export async function runHook(run: HookRun): Promise<void> {
  const { observer, id, kind, handler } = run;
  if (observer === undefined) return handled(run);
  // An error may contain a secret, so a recording only says that there was one.
  const attempt = () =>
    handled(run).then(
      () => undefined,
      (failure: unknown) => {
        observer.note?.({ failed: true });
        return { failure };
      },
    );
  const outcome = await runStep(observer, `hook/${kind}`, attempt, { id, handler }, handled);
  if (outcome !== undefined) throw outcome.failure;
}

async function handled({ runtime, clock, id, kind, handler, signal }: HookRun): Promise<void> {
  if (handler.sleep) return clock.sleep(Number(handler.sleep.seconds) * 1000, signal);
  await runtime.runHook(id, kind, handler, signal);
}

/** The minimum grace period in milliseconds that remains for a container after its hook. */
const graceMsMin = 2_000;

/**
 * Runs the preStop hook for no longer than the grace period.
 * @returns the rest of `graceMs` for the container itself; the time used is counted in whole seconds
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
