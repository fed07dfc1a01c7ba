import { StatusError } from '@coxswain/apimachinery';

/** Adds to errors which file an object came from, and what was being done with it. */
export async function withSource<T>(doing: string, source: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (failure) {
    throw sourced(doing, source, failure);
  }
}

export function sourced(doing: string, source: string, failure: unknown): unknown {
  if (source === '' || !(failure instanceof Error)) return failure;
  const message = `error when ${doing} "${source}": ${failure.message}`;
  return failure instanceof StatusError
    ? StatusError.from({ ...failure.status, message })
    : new Error(message, { cause: failure });
}
