/** Why a body is not an object of its kind. */
export class DecodeError extends Error {
  /** `syntax`: it is no JSON; `type`: a value does not fit its field. */
  readonly problem: 'syntax' | 'type';

  constructor(problem: 'syntax' | 'type', message: string) {
    super(message);
    this.problem = problem;
  }
}

/** Metadata of an object within another that can't be read. */
export class EmbeddedMetadataError extends DecodeError {
  readonly field: string;
  readonly value: unknown;
  readonly detail: string;

  /** @param shown the value in the message */
  constructor(field: string, value: unknown, shown: string, { problem, message }: DecodeError) {
    super(problem, `${field}: Invalid value: ${shown}: ${message}`);
    this.field = field;
    this.value = value;
    this.detail = message;
  }
}
