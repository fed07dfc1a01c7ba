/**
 * Ends a command with a specific exit status; any other error exits with 1. An empty message means that everything has
 * been printed already.
 */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitStatus: number;

  constructor(message: string, exitStatus: number, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}
