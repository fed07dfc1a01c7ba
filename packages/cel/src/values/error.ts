/**
 * An error as a value: `&&`, `||` and the macros built on them pass over it where the other side decides.
 * Whatever else gets one for an argument returns it.
 */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const isError = (value: unknown): value is CelError => value instanceof CelError;

export const noSuchOverload = new CelError('no such overload');
