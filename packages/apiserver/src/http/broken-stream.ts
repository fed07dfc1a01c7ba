/** The chain answers every failure itself; what arrives here is a fault of the transport. */
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
