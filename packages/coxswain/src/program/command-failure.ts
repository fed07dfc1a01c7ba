/** A command's end with an exit status of its own; any other error is 1. An empty message: all has been said. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitStatus: number;

  constructor(message: string, exitStatus: number, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}
