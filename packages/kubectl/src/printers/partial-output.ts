/** A printer failed, but wrote this before. */
export class PartialOutput extends Error {
  readonly written: string;

  constructor(message: string, written: string) {
    super(message);
    this.written = written;
  }
}
