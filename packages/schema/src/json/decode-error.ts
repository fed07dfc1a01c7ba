/** Why a body is not an object of its kind. */
export class DecodeError extends Error {
  /** `syntax`: it is no JSON; `type`: a value does not fit its field. */
  readonly problem: 'syntax' | 'type';

  constructor(problem: 'syntax' | 'type', message: string) {
    super(message);
    this.problem = problem;
  }
}

/** A number that no double holds, where values may have any type. */
export class NumberError extends DecodeError {
  constructor(text: string, goType = 'value') {
    super('type', `json: cannot unmarshal number ${text} into Go ${goType} of type float64`);
    this.text = text;
  }

  readonly text: string;
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
