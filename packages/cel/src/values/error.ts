/**
 * An error as a value: `&&`, `||` and the macros based on them ignore it if the other side decides. Everything else
 * returns an error that it gets as argument.
 */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const isError = (value: unknown): value is CelError => value instanceof CelError;

export const noSuchOverload = new CelError('no such overload');
