/** A printer failed after it had written this text. */
export class PartialOutput extends Error {
  readonly written: string;

  constructor(message: string, written: string) {
    super(message);
    this.written = written;
  }
}
