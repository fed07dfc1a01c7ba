/** Handles faults of the transport; the filter chain answers every other failure itself. */
export function brokenStream(
  failure: unknown,
  log: ((line: string) => void) | undefined,
  cut: () => void,
): void {
  log?.(
    `answering a request failed: ${failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)}`,
  );
  cut();
}
