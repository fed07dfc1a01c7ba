/** The option of the commands that wait until a pod is running. */
import { duration } from '@coxswain/cobra';

export const podRunningTimeoutFlag = (defaultMs = 60_000) => ({
  podRunningTimeout: duration({
    default: defaultMs,
    usage: 'How long to wait until at least one pod is running.',
  }),
});

/** What is wrong with the value given, if anything. */
export const runningTimeoutProblem = (given: { readonly podRunningTimeout: number }): string | undefined =>
  given.podRunningTimeout > 0 ? undefined : '--pod-running-timeout must be higher than zero';
