/** Errors that tell where they happened. */
export function whereItFails<T>(place: string, run: () => T): T {
  try {
    return run();
  } catch (failure) {
    throw new Error(`${place}${(failure as Error).message}`, { cause: failure });
  }
}
