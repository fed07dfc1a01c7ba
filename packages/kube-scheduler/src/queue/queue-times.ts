/** How long pods wait that could not be placed; all in milliseconds. */
export interface QueueTimes {
  /** First and longest wait of a pod that was refused or failed; it doubles in between. */
  readonly backoffMsInitial: number;
  readonly backoffMsMax: number;
  /** A pod that no event has helped is tried again after this time. */
  readonly restingMsMax: number;
}

export const restingMsMax = 5 * 60_000;

/** Those of a configuration. */
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
