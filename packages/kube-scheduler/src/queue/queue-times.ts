/** How long pods that could not be placed wait, in milliseconds. */
export interface QueueTimes {
  /** The initial and maximum back-off of a pod that was refused or failed; it doubles in between. */
  readonly backoffMsInitial: number;
  readonly backoffMsMax: number;
  /** A pod that no event has helped is retried after this time. */
  readonly restingMsMax: number;
}

export const restingMsMax = 5 * 60_000;

/** Returns the times in a configuration. */
export const queueTimes = (
  {
    podInitialBackoffSeconds = 1,
    podMaxBackoffSeconds = 10,
  }: { readonly podInitialBackoffSeconds?: number; readonly podMaxBackoffSeconds?: number } = {},
  resting = restingMsMax,
): QueueTimes => ({
  backoffMsInitial: podInitialBackoffSeconds * 1000,
  backoffMsMax: podMaxBackoffSeconds * 1000,
  restingMsMax: resting,
});
