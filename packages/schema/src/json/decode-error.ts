/** The reason that a body is not an object of its kind. */
export class DecodeError extends Error {
  /** `syntax`: it is not JSON; `type`: a value doesn't fit its field. */
  readonly problem: 'syntax' | 'type';

  constructor(problem: 'syntax' | 'type', message: string) {
    super(message);
    this.problem = problem;
  }
}

/** A number that exceeds the range of doubles, where values may have any type. */
export class NumberError extends DecodeError {
  constructor(text: string, goType = 'value') {
    super('type', `json: cannot unmarshal number ${text} into Go ${goType} of type float64`);
    this.text = text;
  }

  readonly text: string;
}

/** Unreadable metadata of an embedded object. */
export class EmbeddedMetadataError extends DecodeError {
  readonly field: string;
  readonly value: unknown;
  readonly detail: string;

  /** @param shown the value's text in the message */
  constructor(field: string, value: unknown, shown: string, { problem, message }: DecodeError) {
    super(problem, `${field}: Invalid value: ${shown}: ${message}`);
    this.field = field;
    this.value = value;
    this.detail = message;
  }
}
