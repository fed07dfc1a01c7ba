/** A failure that a retry cannot fix: the object is not reconciled again until it changes. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}
