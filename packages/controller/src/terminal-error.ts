/** A failure that another try does not mend: the object is not tried again before it changes. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
