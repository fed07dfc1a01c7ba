/**
 * The message of a failure. Anything can be thrown, including errors of another realm (test runners create their own),
 * which are not instances of this realm's `Error`.
 */
export const messageOf = (failure: unknown): string =>
  failure instanceof Error || saysMessage(failure) ? failure.message : String(failure);

const saysMessage = (failure: unknown): failure is { readonly message: string } =>
  typeof failure === 'object' &&
  failure !== null &&
  'message' in failure &&
  typeof failure.message === 'string';
