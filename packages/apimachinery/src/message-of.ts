/**
 * What a failure says. Anything can be thrown, also errors of another realm (test runners make their own), which are
 * no instances of this one's `Error`.
 */
export const messageOf = (failure: unknown): string =>
  failure instanceof Error || saysMessage(failure) ? failure.message : String(failure);

const saysMessage = (failure: unknown): failure is { readonly message: string } =>
  typeof failure === 'object' &&
  failure !== null &&
  'message' in failure &&
  typeof failure.message === 'string';
